import { Names, Stack, Validations } from 'aws-cdk-lib'
import { DomainName, HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2'
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations'
import type { Construct } from 'constructs'
import { WEBHOOK_ROUTE } from '../../functions/contract/routes.ts'
import type { Front, FrontProps } from './ingress.ts'

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
    reason: 'Senders hold no AWS or OAuth credentials: the function verifies their signature before anything else.',
  })
  return {
    urlOf: path => `${domain ? `https://${domain.name}` : api.apiEndpoint}${path}`,
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
