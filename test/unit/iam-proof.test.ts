import { describe, expect, it } from 'vitest'
import { compareTaken } from '../iam/compare-taken.ts'
import { judgeCall } from '../iam/judge-calls.ts'
import { covers } from '../iam/list-grants.ts'
import { nameCalls } from '../iam/name-calls.ts'
import { doctorOf } from '../iam/named-by-doctor.ts'
import { readCallers } from '../iam/predictions.ts'
import { readCalls } from '../iam/read-calls.ts'
import { readPolicies } from '../iam/read-grants.ts'

const json = (service: string, target: string, input: object) =>
  readCalls({ service, method: 'POST', path: '/', target, body: JSON.stringify(input) })

describe('what IAM is asked about a call', () => {
  it('a write to a table is an action on the table', () => {
    expect(json('dynamodb', 'DynamoDB_20120810.PutItem', { TableName: 'events' })).toEqual([
      { action: 'dynamodb:PutItem', resource: 'table/events' },
    ])
  })

  it('a query of an index is an action on the index alone', () => {
    expect(json('dynamodb', 'DynamoDB_20120810.Query', { TableName: 'events', IndexName: 'listing' })).toEqual([
      { action: 'dynamodb:Query', resource: 'table/events/index/listing' },
    ])
  })

  it('a transaction is an action for each of its items, and none of its own', () => {
    const TransactItems = [
      { Put: { TableName: 'a' } },
      { Update: { TableName: 'b' } },
      { ConditionCheck: { TableName: 'c' } },
    ]
    expect(json('dynamodb', 'DynamoDB_20120810.TransactWriteItems', { TransactItems })).toEqual([
      { action: 'dynamodb:PutItem', resource: 'table/a' },
      { action: 'dynamodb:UpdateItem', resource: 'table/b' },
      { action: 'dynamodb:ConditionCheckItem', resource: 'table/c' },
    ])
  })

  it('a batch of messages is the action of one', () => {
    expect(json('sqs', 'AmazonSQS.SendMessageBatch', { QueueUrl: 'https://sqs/0/events' })).toEqual([
      { action: 'sqs:SendMessage', resource: 'queue/events' },
    ])
  })

  it('a body in a bucket is an action on its key', () => {
    const request = { service: 's3', method: 'PUT', path: '/bodies/7d/a%20b?x-id=PutObject', body: '' }
    expect(readCalls(request)).toEqual([{ action: 's3:PutObject', resource: 'bucket/bodies/7d/a b' }])
  })

  it('the list of a bucket is an action on the bucket', () => {
    const request = { service: 's3', method: 'GET', path: '/bodies?list-type=2&prefix=7d', body: '' }
    expect(readCalls(request)).toEqual([{ action: 's3:ListBucket', resource: 'bucket/bodies' }])
  })

  it('an alias is what is invoked by its name', () => {
    const path = '/2015-03-31/functions/operate/invocations?Qualifier=erase'
    expect(readCalls({ service: 'lambda', method: 'POST', path, body: '{}' })).toEqual([
      { action: 'lambda:InvokeFunction', resource: 'aliases/erase' },
    ])
  })

  it('a stack is asked for by its name, and a function is invoked by its path', () => {
    const body = 'Action=DescribeStacks&StackName=Hooklatch-production&Version=2010-05-15'
    expect(readCalls({ service: 'cloudformation', method: 'POST', path: '/', body })).toEqual([
      { action: 'cloudformation:DescribeStacks', resource: 'stack/Hooklatch-production' },
    ])
    const path = '/2015-03-31/functions/operate/invocations'
    expect(readCalls({ service: 'lambda', method: 'POST', path, body: '{}' })).toEqual([
      { action: 'lambda:InvokeFunction', resource: 'functions/operate' },
    ])
  })

  it('asking STS who somebody is needs no permission', () => {
    expect(readCalls({ service: 'sts', method: 'POST', path: '/', body: '' })).toEqual([])
  })

  it('a call of a service that the proof does not know is an error', () => {
    expect(() => json('kinesis', 'Kinesis_20131202.PutRecord', {})).toThrow(/does not know/)
  })
})

const DEPLOYED = [
  { logicalId: 'ReceiverReceiveFunctionF60B4333', physicalId: 'st-receive-1', type: 'AWS::Lambda::Function' },
  { logicalId: 'ReceiverEventsQueueAAAAAAAA', physicalId: 'https://sqs/0/st-events', type: 'AWS::SQS::Queue' },
  { logicalId: 'ReceiverSecretsSigningBBBBBBBB', physicalId: 'st-signing', type: 'AWS::SecretsManager::Secret' },
]

describe('a recorded call', () => {
  it('a recorded call is named as the template names function and resource, once', () => {
    const sent = { caller: 'st-receive-1', action: 'sqs:SendMessage', resource: 'queue/st-events' }
    const asked = {
      caller: 'st-receive-1',
      action: 'secretsmanager:GetSecretValue',
      resource: 'secret/arn:aws:secretsmanager:us-east-1:000000000000:secret:st-signing-1a2b3c',
    }
    expect(nameCalls([sent, asked, sent], DEPLOYED)).toEqual([
      {
        caller: 'Receive',
        action: 'secretsmanager:GetSecretValue',
        resource: 'arn:aws:secretsmanager:us-east-1:123456789012:secret:SecretsSigning-000000',
      },
      { caller: 'Receive', action: 'sqs:SendMessage', resource: 'arn:aws:sqs:us-east-1:123456789012:EventsQueue' },
    ])
  })

  it('a recorded call to something outside the stack is an error', () => {
    const call = { caller: 'st-receive-1', action: 'sqs:SendMessage', resource: 'queue/somebody-elses' }
    expect(() => nameCalls([call], DEPLOYED)).toThrow(/somebody-elses/)
  })
})

const template = (Action: string) => ({
  ReceiverEventsQueueAAAAAAAA: { Type: 'AWS::SQS::Queue' },
  Closed: {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: {
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Deny',
            Principal: { AWS: '*' },
            Action: 'sqs:*',
            Condition: { Bool: { 'aws:SecureTransport': 'false' } },
            Resource: { 'Fn::GetAtt': ['ReceiverEventsQueueAAAAAAAA', 'Arn'] },
          },
        ],
      },
    },
  },
  ReceiverReceiveRoleCCCCCCCC: { Type: 'AWS::IAM::Role' },
  ReceiverReceiveFunctionDDDDDDDD: {
    Type: 'AWS::Lambda::Function',
    Properties: { Role: { 'Fn::GetAtt': ['ReceiverReceiveRoleCCCCCCCC', 'Arn'] } },
  },
  Policy: {
    Type: 'AWS::IAM::Policy',
    Properties: {
      Roles: [{ Ref: 'ReceiverReceiveRoleCCCCCCCC' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [{ Effect: 'Allow', Action, Resource: { 'Fn::GetAtt': ['ReceiverEventsQueueAAAAAAAA', 'Arn'] } }],
      },
    },
  },
})
const SENT = {
  caller: 'Receive',
  action: 'sqs:SendMessage',
  resource: 'arn:aws:sqs:us-east-1:123456789012:EventsQueue',
} as const

describe('the verdict on a call', () => {
  it('a call that the role of its function allows is allowed', async () => {
    expect(await judgeCall(SENT, readPolicies(template('sqs:SendMessage')))).toBeUndefined()
  })

  it('a call that no statement allows is refused', async () => {
    expect(await judgeCall(SENT, readPolicies(template('sqs:ReceiveMessage')))).toBe('ImplicitlyDenied')
  })

  it('a call without TLS is refused by the policy of the queue, whatever the role allows', async () => {
    const plain = { 'aws:SecureTransport': 'false' }
    expect(await judgeCall(SENT, readPolicies(template('sqs:SendMessage')), plain)).toBe('ExplicitlyDenied')
  })

  it('a star in a policy covers the rest of a name, and nothing else of it', () => {
    expect(covers('arn:aws:s3:::bodies/7d/*', 'arn:aws:s3:::bodies/7d/body')).toBe(true)
    expect(covers('arn:aws:s3:::bodies/7d/*', 'arn:aws:s3:::bodies/17d/body')).toBe(false)
  })
})

describe('a statement that is taken away', () => {
  const PREDICTED = [
    { caller: 'Receive', action: 'sqs:SendMessage', on: 'Events', fails: ['stripe', 'github'] },
  ] as const
  const taken = (...failed: string[]) => [
    { caller: 'Receive', statement: { Effect: 'Allow', Action: 'sqs:SendMessage', Resource: 'arn:x:Events' }, failed },
  ]

  it('a statement that is missed as predicted is no mistake, whatever the order', () => {
    expect(compareTaken(taken('github', 'stripe'), PREDICTED)).toEqual([])
  })

  it('a statement that nobody misses is a mistake if it was predicted to be missed', () => {
    expect(compareTaken(taken(), PREDICTED)).toEqual([
      expect.stringContaining('nothing failed, predicted was stripe, github'),
    ])
  })

  it('a statement that is missed as predicted is a mistake if doctor does not name it', () => {
    const unnamed = taken('github', 'stripe').map(each => ({ ...each, named: false }))
    expect(compareTaken(unnamed, PREDICTED)).toEqual([expect.stringContaining('doctor does not say so')])
  })

  it('a statement without a prediction is a mistake, and so is a prediction without a statement', () => {
    expect(compareTaken(taken('stripe'), [{ ...PREDICTED[0], caller: 'Bury' }])).toEqual([
      expect.stringContaining('there is no prediction'),
      expect.stringContaining('the prediction can go'),
    ])
  })

  it('--only takes functions and destinations by their names, and refuses a name that nothing has', () => {
    expect(readCallers('Bury,all,Operators')).toEqual(['Bury', 'DestinationsallHandler', 'Operators'])
    expect(readCallers('Bury,bury')).toMatchObject({ refused: expect.stringMatching(/^--only bury: expected some of/) })
  })
})

describe('what doctor says of a statement that is taken away', () => {
  const REFUSED = { Effect: 'Allow', Action: ['s3:GetObject'], Resource: ['arn:aws:s3:::bodies/7d/*'] } as const
  const finding = (action: string, place: string, times: number) => ({
    check: 'permissions',
    subject: 'fan-out',
    says: `the function has no permission for ${action} on ${place}: refused ${times} times within the last hour`,
    fix: 'npx cdk deploy, which grants it by grantRead in lib/constructs/fan-out-function.ts',
  })
  /** A doctor that finds these, each time it is asked. */
  const doctor = (...findings: object[]) =>
    doctorOf({ hooklatch: async () => ({ code: 1, out: JSON.stringify({ findings }), err: '' }) })

  it('a finding with function, action and resource of the statement names it, and only while it is new', async () => {
    const isNamed = doctor(finding('s3:GetObject', 'bodies', 2))
    expect([await isNamed('FanOut', REFUSED), await isNamed('FanOut', REFUSED)]).toEqual([true, false])
  })

  it.each([
    ['another resource', finding('s3:GetObject', 'somebody-elses', 2)],
    ['no resource', finding('s3:GetObject', 'a resource that the service did not name', 2)],
    ['another action', finding('s3:PutObject', 'bodies', 2)],
    ['another function', { ...finding('s3:GetObject', 'bodies', 2), subject: 'bury' }],
    ['no line of a construct', { ...finding('s3:GetObject', 'bodies', 2), fix: 'grant it' }],
  ])('a finding with %s does not name the statement', async (_, found) => {
    expect(await doctor(found)('FanOut', REFUSED)).toBe(false)
  })

  it('a queue of the statement is named by what a star stands for, whatever the case of the action', async () => {
    const emptied = {
      ...REFUSED,
      Action: 'sqs:DeleteMessage',
      Resource: 'arn:aws:sqs:us-east-1:000000000000:*-00000000',
    }
    expect(await doctor(finding('sqs:deletemessage', 'left-00000000', 1))('FanOut', emptied)).toBe(true)
  })
})
