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
    const integrations =
      api === 'http'
        ? [find('AWS::ApiGatewayV2::Integration').Properties.IntegrationUri]
        : Object.values(template.findResources('AWS::ApiGateway::Method')).map(each => each.Properties.Integration.Uri)
    expect(integrations).toHaveLength(api === 'http' ? 1 : 3)
    for (const each of integrations) expect(JSON.stringify(each)).toContain('ReceiverCanaryLive')
    const permissions = Object.values(template.findResources('AWS::Lambda::Permission')).filter(
      ({ Properties }) => Properties.Principal === 'apigateway.amazonaws.com',
    )
    for (const each of permissions) expect(JSON.stringify(each.Properties.FunctionName)).toContain('ReceiverCanaryLive')
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

const behindDomain = (others: Partial<WebhookReceiverProps>) => {
  const stack = new Stack(new App({ context: { 'aws:cdk:bundling-stacks': [] } }), 'Domain')
  const certificate = Certificate.fromCertificateArn(stack, 'Certificate', 'arn:aws:acm:eu-west-1:1:certificate/1')
  const domain = { name: 'hooks.example.com', certificate }
  const receiver = new WebhookReceiver(stack, 'Receiver', { sources: SOURCES, domain, ...others })
  return { stack, receiver, template: Template.fromStack(stack) }
}

describe.each(['http', 'rest'] as const)('a domain of your own in front of the %s API', api => {
  const { stack, receiver, template } = behindDomain({ api })
  const type = api === 'http' ? 'AWS::ApiGatewayV2::Api' : 'AWS::ApiGateway::RestApi'

  it('beside a domain, the execute-api address is open unless the user closes it', () => {
    template.hasResourceProperties(type, { DisableExecuteApiEndpoint: false })
    const closed = behindDomain({ api, disableExecuteApiEndpoint: true })
    closed.template.hasResourceProperties(type, { DisableExecuteApiEndpoint: true })
    expect(closed.receiver.urls).toEqual(receiver.urls)
  })

  it('the receive function, and no other, is told the domain, by which it counts who comes elsewhere', () => {
    const told = Object.entries(template.findResources('AWS::Lambda::Function')).filter(
      ([, { Properties }]) => Properties.Environment?.Variables.HOOKLATCH_DOMAIN !== undefined,
    )
    expect(told.map(([id]) => id)).toEqual([expect.stringMatching(/^ReceiverReceiveFunction/)])
  })

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

it('closing the execute-api address of a REST API makes a new deployment, because it stays open until then', () => {
  const [open, closed] = [false, true].map(disableExecuteApiEndpoint =>
    Object.keys(
      behindDomain({ api: 'rest', disableExecuteApiEndpoint }).template.findResources('AWS::ApiGateway::Deployment'),
    ),
  )
  expect(open).toHaveLength(1)
  expect(closed).not.toEqual(open)
})

it('a stack with a domain says whether the execute-api address is open, and without one says nothing of it', () => {
  const certificate = Certificate.fromCertificateArn(
    new Stack(),
    'Certificate',
    'arn:aws:acm:eu-west-1:1:certificate/1',
  )
  const domain = { name: 'hooks.example.com', certificate }
  const said = (props: Partial<WebhookReceiverProps>) =>
    synth(props).template.findOutputs('ExecuteApi').ExecuteApi?.Value
  expect(said({})).toBeUndefined()
  expect(said({ domain })).toBe('open')
  expect(said({ domain, disableExecuteApiEndpoint: true })).toBe('closed')
})
