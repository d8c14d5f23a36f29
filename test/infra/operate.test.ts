import { describe, expect, it } from 'vitest'
import { allowed, everyPrefix, refTo } from './read-template.ts'
import { synth } from './synth.ts'

const stack = synth()
const ordered = synth({ ordered: true, api: 'rest' })

const policiesOf = ({ template }: typeof stack) => Object.values(template.findResources('AWS::IAM::ManagedPolicy'))

describe('the operate function', () => {
  it('the operate function may change records, keep bodies, send and read its secrets, and nothing else', () => {
    expect(allowed(stack.find('AWS::IAM::Policy', 'ReceiverOperate'))).toEqual([
      'dynamodb:BatchGetItem on Tables/Events',
      'dynamodb:GetItem on Tables/Bodies',
      'dynamodb:GetItem on Tables/Events',
      'dynamodb:PutItem on Tables/Events',
      'dynamodb:Query on Tables/Bodies',
      'dynamodb:Query on Tables/Events/index/listing',
      'dynamodb:UpdateItem on Tables/Bodies',
      'dynamodb:UpdateItem on Tables/Events',
      // To pause the worker.
      'lambda:GetEventSourceMapping on arn:AWS::Partition:lambda:AWS::Region:AWS::AccountId:event-source-mapping:Worker/FromQueue',
      'lambda:UpdateEventSourceMapping on arn:AWS::Partition:lambda:AWS::Region:AWS::AccountId:event-source-mapping:Worker/FromQueue',
      'logs:CreateLogStream on Operate/Logs',
      'logs:PutLogEvents on Operate/Logs',
      ...everyPrefix('s3:GetObject'),
      's3:ListBucket on Bodies/Bucket',
      ...everyPrefix('s3:PutObject', 7),
      'secretsmanager:GetSecretValue on Secrets/FingerprintKey',
      'secretsmanager:GetSecretValue on Secrets/Signing',
      'sqs:SendMessage on Events/Queue',
      'xray:PutTelemetryRecords on *',
      'xray:PutTraceSegments on *',
    ])
  })

  it.each([
    ['http', stack],
    ['rest', ordered],
  ])(
    'nothing but IAM lets anybody call the operate function: it has no URL, no route and no permission of its own (%s API)',
    (_, { template }) => {
      template.resourceCountIs('AWS::Lambda::Url', 0)
      const others = [
        'AWS::Lambda::Permission',
        'AWS::Lambda::EventSourceMapping',
        'AWS::Events::Rule',
        'AWS::ApiGatewayV2::Integration',
        'AWS::ApiGateway::Method',
      ]
      expect(
        others.flatMap(type => Object.values(template.findResources(type))).map(each => JSON.stringify(each)),
      ).not.toContainEqual(expect.stringContaining('ReceiverOperate'))
    },
  )

  it('the operate function is told what a receiver is told, and what it can pause', () => {
    const variables = (name: string) => stack.find('AWS::Lambda::Function', name).Properties.Environment.Variables
    const { HOOKLATCH_MAPPINGS: mappings, ...told } = variables('ReceiverOperate')
    expect(told).toEqual(variables('ReceiverReceive'))
    expect(JSON.stringify(mappings)).toMatch(/worker.*ReceiverWorkerFromQueue/)
    expect(stack.template.findOutputs('OperateFunction')).toEqual({
      OperateFunction: { Value: refTo('ReceiverOperateFunction') },
    })
  })
})

describe('what people may do', () => {
  it('the erase policy allows to invoke the operate function by its alias for erasing, and nothing else', () => {
    const alias = stack.find('AWS::Lambda::Alias', 'ReceiverPoliciesEraseDoor')
    expect(alias.Properties).toMatchObject({
      Name: 'erase',
      FunctionName: refTo('ReceiverOperateFunction'),
      FunctionVersion: '$LATEST',
    })
    expect(allowed(stack.find('AWS::IAM::ManagedPolicy', 'ReceiverPoliciesErase'))).toEqual([
      expect.stringMatching(/^lambda:InvokeFunction on ReceiverPoliciesEraseDoor[0-9A-F]{8}$/),
    ])
  })

  it('the replay policy allows to invoke the operate function, and nothing else: it can forge no event and rewrite no audit', () => {
    for (const each of [stack, ordered]) {
      expect(allowed(each.find('AWS::IAM::ManagedPolicy', 'ReceiverPoliciesReplay'))).toEqual([
        'lambda:InvokeFunction on Operate/Function',
      ])
    }
  })

  it('no policy for people writes to a table, a bucket or a queue, or reads the key that seals messages', () => {
    const lines = [stack, ordered].flatMap(policiesOf).flatMap(policy => allowed(policy as never))
    expect(lines.length).toBeGreaterThan(20)
    expect(lines.filter(line => /^(dynamodb|s3|sqs):(?!(Batch)?Get|Query|List)/.test(line))).toEqual([])
    expect(lines.filter(line => /FingerprintKey|\*:|:\*/.test(line.replace(/ on .*stack\/Test\/\*$/, '')))).toEqual([])
  })

  it('the policies keep their descriptions, since another one would replace a policy that people have', () => {
    expect(policiesOf(stack).map(({ Properties }) => Properties.Description)).toEqual([
      'Hooklatch: list and show events, without their bodies',
      'Hooklatch: see the bodies of events',
      'Hooklatch: replay events',
      'Hooklatch: set and rotate signing secrets',
      'Hooklatch: erase bodies, headers and errors of events',
    ])
  })
})
