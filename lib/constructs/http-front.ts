import { Names, Stack, Validations } from 'aws-cdk-lib'
import { DomainName, HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { Construct } from 'constructs'
import { PUBLISH_BATCH_ROUTE, PUBLISH_ROUTE, WEBHOOK_ROUTE } from '../../functions/contract/routes.ts'
import type { Front, FrontProps } from './front.ts'

export const httpFront = (scope: Construct, props: FrontProps): Front => {
  const api = new HttpApi(scope, 'Http', {
    apiName: Names.uniqueResourceName(scope, { separator: '-' }),
    createDefaultStage: false,
  })
  api.addRoutes({
    path: WEBHOOK_ROUTE,
    methods: [HttpMethod.ANY],
    integration: new HttpLambdaIntegration('Receive', props.handler),
  })
  if (props.publish) {
    const integration = new HttpLambdaIntegration('Publish', props.publish)
    const authorizer = new HttpIamAuthorizer()
    for (const path of [PUBLISH_ROUTE, PUBLISH_BATCH_ROUTE]) {
      api.addRoutes({ path, methods: [HttpMethod.ANY], integration, authorizer })
    }
  }
  const { domain } = props
  const domainName =
    domain && new DomainName(scope, 'Domain', { domainName: domain.name, certificate: domain.certificate })
  const stage = new HttpStage(scope, 'Stage', {
    httpApi: api,
    stageName: '$default',
    autoDeploy: true,
    ...(domainName && { domainMapping: { domainName } }),
    throttle: { rateLimit: props.rateLimit, burstLimit: props.burstLimit },
    accessLogSettings: {
      destination: new LogGroupLogDestination(props.accessLog.group),
      format: props.accessLog.format,
    },
  })
  Validations.of(api).acknowledge({
    id: 'AwsSolutions-APIG4',
    reason:
      'Senders of webhooks hold no AWS or OAuth credentials: the function verifies their signature before anything else. Publishing needs IAM.',
  })
  return {
    urlOf: path => `${domain ? `https://${domain.name}` : api.apiEndpoint}${path}`,
    arnOf: path => api.arnForExecuteApi('POST', path, stage.stageName),
    domain: domainName && {
      dnsName: domainName.regionalDomainName,
      hostedZoneId: domainName.regionalHostedZoneId,
    },
    stageArn: Stack.of(scope).formatArn({
      service: 'apigateway',
      account: '',
      resource: `/apis/${api.apiId}/stages`,
      resourceName: stage.stageName,
    }),
    requests: api.metricCount(),
    serverErrors: api.metricServerError(),
  }
}
