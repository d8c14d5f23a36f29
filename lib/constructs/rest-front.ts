import { Names, Validations } from 'aws-cdk-lib'
import {
  AuthorizationType,
  AwsIntegration,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseType,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { PUBLISH_BATCH_ROUTE, PUBLISH_ROUTE, WEBHOOK_ROUTE, webhookPath } from '../../functions/contract/routes.ts'
import type { Front, FrontProps } from './front.ts'

export const restFront = (scope: Construct, props: FrontProps): Front => {
  const accessLog = props.accessLog()
  const { domain, handler } = props
  const settings = {
    throttlingRateLimit: props.rateLimit,
    throttlingBurstLimit: props.burstLimit,
    loggingLevel: MethodLoggingLevel.ERROR,
    // Would log bodies and headers.
    dataTraceEnabled: false,
  }
  const api = new RestApi(scope, 'Rest', {
    restApiName: Names.uniqueResourceName(scope, { separator: '-' }),
    endpointTypes: [EndpointType.REGIONAL],
    ...(domain && { domainName: { domainName: domain.name, certificate: domain.certificate } }),
    // Every body arrives as base64 of its exact bytes; as text, API Gateway would replace what is not UTF-8.
    binaryMediaTypes: ['*/*'],
    disableExecuteApiEndpoint: props.disableExecuteApiEndpoint,
    // One setting per account and region, so it is retained: removing it would end the logs of every other REST API.
    cloudWatchRole: true,
    deployOptions: {
      stageName: STAGE,
      ...settings,
      // A method is throttled by itself, so each source has one: a flood of one is no 429 for another. In the settings of a
      // stage, the method ANY is each of its methods; deliveries are POST.
      methodOptions: Object.fromEntries(props.sources.map(source => [`${webhookPath(source)}/POST`, settings])),
      accessLogDestination: new LogGroupLogDestination(accessLog.group),
      accessLogFormat: accessLog.format,
      tracingEnabled: true,
    },
  })
  // Before the stage, because API Gateway would create it without an end to its retention.
  const errorLog = new LogGroup(scope, 'ErrorLog', {
    ...props.logs,
    logGroupName: `API-Gateway-Execution-Logs_${api.restApiId}/${STAGE}`,
  })
  api.deploymentStage.node.addDependency(errorLog)
  // The stack has one output per source instead.
  api.node.tryRemoveChild('Endpoint')
  // An unknown path is a 404, as it is with the HTTP API; a REST API would answer 403. Not where publishing needs a signature: a
  // request without one gets the same response, and has to be told 403.
  if (!props.publish) {
    api.addGatewayResponse('UnknownPath', { type: ResponseType.MISSING_AUTHENTICATION_TOKEN, statusCode: '404' })
  }
  api.root.resourceForPath(WEBHOOK_ROUTE).addMethod('ANY', new LambdaIntegration(handler, { allowTestInvoke: false }))
  // The permission to call the function is that of the method above, which is for every name. It also answers names that are no source.
  const path = `2015-03-31/functions/${handler.functionArn}/invocations`
  const receive = new AwsIntegration({ proxy: true, service: 'lambda', path })
  for (const source of props.sources) api.root.resourceForPath(webhookPath(source)).addMethod('ANY', receive)
  if (props.publish) {
    const integration = new LambdaIntegration(props.publish, { allowTestInvoke: false })
    for (const path of [PUBLISH_ROUTE, PUBLISH_BATCH_ROUTE]) {
      const authorizationType = AuthorizationType.IAM
      api.root.resourceForPath(path).addMethod('ANY', integration, { authorizationType })
    }
  }
  acknowledge(api)
  return {
    urlOf: path => (domain ? `https://${domain.name}${path}` : api.urlForPath(path)),
    arnOf: path => api.arnForExecuteApi('POST', path, STAGE),
    domain: api.domainName && {
      dnsName: api.domainName.domainNameAliasDomainName,
      hostedZoneId: api.domainName.domainNameAliasHostedZoneId,
    },
    stageArn: api.deploymentStage.stageArn,
    requests: api.metricCount(),
    serverErrors: api.metricServerError(),
  }
}

const STAGE = 'live'

const acknowledge = (api: RestApi): void => {
  const signed =
    'Senders of webhooks hold no AWS or OAuth credentials: the function verifies their signature before anything else. Publishing needs IAM.'
  Validations.of(api).acknowledge(
    { id: 'AwsSolutions-APIG4', reason: signed },
    { id: 'AwsSolutions-COG4', reason: signed },
    {
      id: 'AwsSolutions-APIG2',
      reason: 'A gateway model would parse the body before it is verified; the function validates it after.',
    },
    {
      id: 'AwsSolutions-APIG3',
      reason:
        'The web ACL is for the owner of the account to choose; `ingress.front.stageArn` is there to associate it.',
    },
    {
      id: 'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs]',
      reason:
        'API Gateway refuses a logging role that lacks the permissions of this policy, which is the documented one.',
    },
  )
}
