import { Template } from 'aws-cdk-lib/assertions'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { describe, expect, it } from 'vitest'
import { allowed } from './read-template.ts'
import { receiverStack, SOURCES, synth } from './synth.ts'

const INTERNAL = {
  ...SOURCES,
  orders: { provider: 'internal', allow: '*' },
  carts: { provider: 'internal', allow: '*' },
} as const

const url = synth({ sources: INTERNAL, api: 'url', reservedConcurrency: 50 })
const of = (type: string) => Object.values(url.resources).filter(({ Type }) => Type === type)

describe('a receiver behind a function URL', () => {
  it('it has no API Gateway and no access log, and everything else that it has behind an HTTP API', () => {
    const types = (api: 'http' | 'url') =>
      Object.entries(synth({ sources: INTERNAL, api }).resources)
        .filter(
          ([id]) => !id.startsWith('ReceiverIngress') && !id.includes('FunctionUrl') && !/Permission|invoke/i.test(id),
        )
        .map(([id]) => id)
    expect(types('url')).toEqual(types('http'))
    expect(Object.values(url.resources).filter(({ Type }) => Type.startsWith('AWS::ApiGateway'))).toEqual([])
    expect(Object.keys(url.resources).filter(id => id.includes('AccessLog'))).toEqual([])
  })

  it('everybody may call the URL of the receive function, and the function only through its URL', () => {
    const open = of('AWS::Lambda::Permission').filter(({ Properties }) => Properties.Principal === '*')
    expect(
      open.map(({ Properties: { Action, FunctionUrlAuthType, InvokedViaFunctionUrl } }) => [
        Action,
        FunctionUrlAuthType,
        InvokedViaFunctionUrl,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['lambda:InvokeFunctionUrl', 'NONE', undefined],
        ['lambda:InvokeFunction', undefined, true],
      ]),
    )
    expect(open).toHaveLength(2)
    for (const { Properties } of open) expect(JSON.stringify(Properties.FunctionName)).toContain('ReceiverReceive')
  })

  it('publishing has a URL of its own under IAM, and is granted with both permissions', () => {
    const types = of('AWS::Lambda::Url').map(({ Properties }) => [
      Properties.AuthType,
      /Receiver(Receive|Publish)/.exec(JSON.stringify(Properties.TargetFunctionArn))?.[1],
    ])
    expect(types.toSorted()).toEqual([
      ['AWS_IAM', 'Publish'],
      ['NONE', 'Receive'],
    ])
    const stack = receiverStack({ sources: INTERNAL, api: 'url' })
    const role = new Role(stack, 'Shop', { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') })
    stack.receiver.grantPublish(role)
    const policies = Object.entries(Template.fromStack(stack).findResources('AWS::IAM::Policy'))
    const [, policy] = policies.find(([id]) => id.startsWith('Shop')) ?? []
    expect(allowed(policy as never).map(line => line.split(' ')[0])).toEqual([
      'lambda:InvokeFunction',
      'lambda:InvokeFunctionUrl',
    ])
    expect(() => stack.receiver.grantPublish(role, 'orders')).toThrow(/one permission for all of orders, carts/)
  })

  it('each source has its URL as an output, and the output says what bounds a flood', () => {
    const outputs = url.template.toJSON().Outputs
    expect(JSON.stringify(outputs.UrlStripe.Value)).toMatch(/FunctionUrl.*webhooks\/stripe/)
    expect(JSON.stringify(outputs.UrlOrders.Value)).toMatch(/FunctionUrl.*publish\/orders/)
    expect(outputs.ReceiveConcurrency.Value).toBe('50')
    expect(synth({ api: 'url' }).template.toJSON().Outputs.ReceiveConcurrency.Value).toBe('unreserved')
    expect(synth().template.toJSON().Outputs.ReceiveConcurrency).toBeUndefined()
  })

  it('server errors are counted by the figures of the URL', () => {
    const { Metrics } = url.find('AWS::CloudWatch::Alarm', 'ReceiverAlarmsServerErrors').Properties
    expect(JSON.stringify(Metrics)).toMatch(/Url5xxCount.*UrlRequestCount|UrlRequestCount.*Url5xxCount/)
  })

  it('a domain, a throttle and a web ACL are refused with a sentence', () => {
    const domain = { name: 'hooks.example.com', certificate: { certificateArn: 'arn:aws:acm:x' } } as never
    expect(() => receiverStack({ api: 'url', domain, requestsPerSecond: 5 })).toThrow(
      /domain: .*a function URL takes no domain[\s\S]*requestsPerSecond: .*a function URL has no throttle/,
    )
    expect(() => receiverStack({ api: 'url' }).receiver.ingress.front.stageArn).toThrow(/takes no web ACL/)
  })

  it('a canary is behind the URL', () => {
    const canary = synth({ api: 'url', canary: true })
    const { TargetFunctionArn, Qualifier } = canary.find('AWS::Lambda::Url').Properties
    expect(JSON.stringify([TargetFunctionArn, Qualifier])).toContain('live')
  })
})
