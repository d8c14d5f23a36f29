import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { describe, expect, it } from 'vitest'
import { WebhookReceiver, type WebhookReceiverProps } from '../../lib/index.ts'
import { receiverStack, SOURCES, synth } from './synth.ts'

describe.each(['http', 'rest'] as const)('a canary behind the %s API', api => {
  const { template, find } = synth({ api, canary: true })

  it('a canary gets a tenth of the deliveries for five minutes, and an alarm brings the old version back', () => {
    expect(find('AWS::CodeDeploy::DeploymentGroup').Properties).toMatchObject({
      AutoRollbackConfiguration: { Enabled: true, Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM']) },
      AlarmConfiguration: { Enabled: true, Alarms: [{ Name: expect.anything() }, { Name: expect.anything() }] },
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
    })
    const [alias] = Object.values(template.findResources('AWS::Lambda::Alias'))
    expect(alias?.UpdatePolicy).toHaveProperty('CodeDeployLambdaAliasUpdate')
  })

  it('the API calls the alias of the canary', () => {
    const integration =
      api === 'http'
        ? find('AWS::ApiGatewayV2::Integration').Properties.IntegrationUri
        : find('AWS::ApiGateway::Method').Properties.Integration.Uri
    expect(JSON.stringify(integration)).toContain('ReceiverCanaryLive')
  })

  it('cdk-nag finds nothing unexplained in a stack with a canary', () => {
    for (const pack of [new AwsSolutionsChecks(), new ServerlessChecks()]) {
      expect(pack.validateScope(receiverStack({ api, canary: true })).violations).toEqual([])
    }
  })

  it('there is no canary unless it is asked for', () => {
    synth({ api }).template.resourceCountIs('AWS::CodeDeploy::DeploymentGroup', 0)
  })
})

describe.each(['http', 'rest'] as const)('a domain of your own in front of the %s API', api => {
  const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Domain')
  const certificate = Certificate.fromCertificateArn(stack, 'Certificate', 'arn:aws:acm:eu-west-1:1:certificate/1')
  const props: WebhookReceiverProps = { sources: SOURCES, api, domain: { name: 'hooks.example.com', certificate } }
  const receiver = new WebhookReceiver(stack, 'Receiver', props)
  const template = Template.fromStack(stack)

  it('the senders are told to post to the domain', () => {
    expect(receiver.urls['my-shop']).toBe('https://hooks.example.com/webhooks/my-shop')
  })

  it('the domain is mapped to the root of the API, and the stack says what its DNS record is an alias of', () => {
    const mapping = api === 'http' ? 'AWS::ApiGatewayV2::ApiMapping' : 'AWS::ApiGateway::BasePathMapping'
    const [only] = Object.values(template.findResources(mapping))
    expect(only?.Properties.ApiMappingKey ?? only?.Properties.BasePath).toBeUndefined()
    expect(stack.resolve(receiver.ingress.front.domain)).toEqual({
      dnsName: { 'Fn::GetAtt': [expect.any(String), 'RegionalDomainName'] },
      hostedZoneId: { 'Fn::GetAtt': [expect.any(String), 'RegionalHostedZoneId'] },
    })
  })
})
