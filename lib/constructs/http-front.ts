import { Names, Stack, Validations } from 'aws-cdk-lib'
import {
  CfnRoute,
  type CfnStage,
  DomainName,
  HttpApi,
  HttpMethod,
  type HttpRoute,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpIamAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import { CfnPermission } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { PUBLISH_BATCH_ROUTE, PUBLISH_ROUTE, WEBHOOK_ROUTE, webhookPath } from '../../functions/contract/routes.ts'
import type { Front, FrontProps } from './front.ts'

export const httpFront = (scope: Construct, props: FrontProps): Front => {
  const accessLog = props.accessLog()
  const api = new HttpApi(scope, 'Http', {
    apiName: Names.uniqueResourceName(scope, { separator: '-' }),
    createDefaultStage: false,
    disableExecuteApiEndpoint: props.disableExecuteApiEndpoint,
  })
  const [everyName] = api.addRoutes({
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
      destination: new LogGroupLogDestination(accessLog.group),
      format: accessLog.format,
    },
  })
  if (everyName) throttleEachSource(api, stage, everyName, props)
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

/**
 * A route is throttled by itself, so each source has one: a flood of one is no 429 for another. They lead to where the route of all
 * names leads, which stays, and answers names that are no source.
 */
const throttleEachSource = (api: HttpApi, stage: HttpStage, everyName: HttpRoute, props: FrontProps): void => {
  // One for all of them: the policy of a function holds about fifty.
  const permission = new CfnPermission(api, 'SourcesPermission', {
    action: 'lambda:InvokeFunction',
    functionName: props.handler.functionArn,
    principal: 'apigateway.amazonaws.com',
    sourceArn: api.arnForExecuteApi('*', webhookPath('*'), '*'),
  })
  const { target = '' } = everyName.node.defaultChild as CfnRoute
  const routes = props.sources.map(source => {
    const routeKey = `ANY ${webhookPath(source)}`
    const route = new CfnRoute(api, `Source-${source}`, {
      apiId: api.apiId,
      routeKey,
      target,
      authorizationType: 'NONE',
    })
    route.addResourceDependency(permission)
    return route
  })
  const share = { ThrottlingRateLimit: props.rateLimit, ThrottlingBurstLimit: props.burstLimit }
  const cfnStage = stage.node.defaultChild as CfnStage
  cfnStage.routeSettings = Object.fromEntries(routes.map(({ routeKey }) => [routeKey, share]))
  // API Gateway refuses settings of a route that it does not know yet.
  for (const route of routes) cfnStage.addResourceDependency(route)
}
