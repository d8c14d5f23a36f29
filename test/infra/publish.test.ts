import { Template } from 'aws-cdk-lib/assertions'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { allowed, everyPrefix } from './read-template.ts'
import { receiverStack, SOURCES, synth } from './synth.ts'

const INTERNAL = { ...SOURCES, orders: { provider: 'internal', allow: '*' } } as const

const http = synth({ sources: INTERNAL })
const rest = synth({ sources: INTERNAL, api: 'rest' })

describe('the publish function', () => {
  it('the publish function may claim, settle, keep a body, send and read the fingerprint key, but no signing secret', () => {
    expect(allowed(http.find('AWS::IAM::Policy', 'ReceiverPublish'))).toEqual([
      'dynamodb:GetItem on Tables/Events',
      'dynamodb:PutItem on Tables/Events',
      'dynamodb:UpdateItem on Tables/Bodies',
      'dynamodb:UpdateItem on Tables/Events',
      'logs:CreateLogStream on Publish/Logs',
      'logs:PutLogEvents on Publish/Logs',
      ...everyPrefix('s3:PutObject', 7),
      'secretsmanager:GetSecretValue on Secrets/FingerprintKey',
      'sqs:SendMessage on Events/Queue',
      'xray:PutTelemetryRecords on *',
      'xray:PutTraceSegments on *',
    ])
  })

  it('there is no publish function if no source is internal', () => {
    const ids = Object.keys(synth().resources)
    expect(ids.filter(id => id.startsWith('ReceiverPublish'))).toEqual([])
  })

  it('the publish function is not told where the signing secrets are', () => {
    const { Environment } = http.find('AWS::Lambda::Function', 'ReceiverPublish').Properties
    expect(Object.keys(Environment.Variables)).not.toContain('HOOKLATCH_SIGNING_SECRETS')
  })

  it('the publish function has alarms for errors and throttles', () => {
    const alarms = Object.keys(http.template.findResources('AWS::CloudWatch::Alarm'))
    expect(alarms.filter(id => /Publish(Errors|Throttles)/.test(id))).toHaveLength(2)
  })
})

describe('the publish routes', () => {
  it('the publish routes of an HTTP API take only requests that IAM has authorised', () => {
    const routes = Object.values(http.template.findResources('AWS::ApiGatewayV2::Route')).map(each => each.Properties)
    const authorised = routes.map(({ RouteKey, AuthorizationType }) => [RouteKey, AuthorizationType])
    expect(authorised.sort()).toEqual([
      ['ANY /publish/{source}', 'AWS_IAM'],
      ['ANY /publish/{source}/batch', 'AWS_IAM'],
      ['ANY /webhooks/my-shop', 'NONE'],
      ['ANY /webhooks/stripe', 'NONE'],
      ['ANY /webhooks/{source}', 'NONE'],
    ])
  })

  it('the publish routes of a REST API take only requests that IAM has authorised and answer others 403', () => {
    const methods = Object.values(rest.template.findResources('AWS::ApiGateway::Method')).map(each => each.Properties)
    const authorised = methods.map(({ AuthorizationType }) => AuthorizationType)
    expect(authorised.sort()).toEqual(['AWS_IAM', 'AWS_IAM', 'NONE', 'NONE', 'NONE'])
    rest.template.resourceCountIs('AWS::ApiGateway::GatewayResponse', 0)
  })

  it.each([
    ['http', http],
    ['rest', rest],
  ])('the publish URL of each internal source is an output (%s API)', (_, { template }) => {
    const outputs = template.toJSON().Outputs
    expect(JSON.stringify(outputs.UrlOrders)).toContain('publish/orders')
    expect(JSON.stringify(outputs.UrlStripe)).toContain('webhooks/stripe')
  })
})

describe('grantPublish', () => {
  const granted = (source?: string) => {
    const stack = receiverStack({ sources: { ...INTERNAL, refunds: { provider: 'internal', allow: '*' } } })
    const role = new Role(stack, 'Producer', { assumedBy: new ServicePrincipal('ecs-tasks.amazonaws.com') })
    stack.receiver.grantPublish(role, source)
    const policies = Template.fromStack(stack).findResources('AWS::IAM::Policy')
    const [policy] = Object.entries(policies).filter(([id]) => id.startsWith('Producer'))
    return JSON.stringify(policy?.[1].Properties.PolicyDocument)
  }

  it('grantPublish lets a principal post to one source, alone and in batches, and to nothing else', () => {
    const policy = granted('orders')
    expect(policy).toContain('execute-api:Invoke')
    expect(policy).toContain('/POST/publish/orders"')
    expect(policy).toContain('/POST/publish/orders/batch"')
    expect(policy).not.toMatch(/refunds|\*/)
  })

  it('grantPublish means every internal source if none is named', () => {
    expect(granted()).toMatch(/publish\/orders.*publish\/refunds/)
  })

  it.each(['stripe', 'nowhere'])('grantPublish refuses %s, which is no internal source, with a sentence', source => {
    expect(() => granted(source)).toThrow(`found ${source}, expected an internal source: orders, refunds`)
  })
})

describe('a schema', () => {
  const sources = { orders: { provider: 'internal', allow: '*', schema: z.object({}) } } as const

  it('a source with a schema needs the path of its module', () => {
    expect(() => synth({ sources })).toThrow(
      'expected the path of the module that exports these sources, since orders has a schema',
    )
    expect(() => synth({ sources, sourcesModule: 'sources.ts' })).not.toThrow()
  })
})
