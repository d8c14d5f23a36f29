// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how CloudFormation writes references
import { describe, expect, it } from 'vitest'
import { findReceiver } from '../../../lib/app/find-receiver.ts'
import { planApp } from '../../../lib/app/plan-app.ts'
import type { AppResource, AppStack } from '../../../lib/app/read-assembly.ts'
import { isRefusal } from '../../../lib/connect/refusal.ts'

const OURS = {
  eventsTable: 'hooklatch-events',
  bodiesTable: 'hooklatch-bodies',
  bodiesBucket: 'hooklatch-bodies',
  queueUrl: 'http://sqs/000000000000/hooklatch-events',
  orderedQueueUrl: 'http://sqs/000000000000/hooklatch-events.fifo',
  deadLettersUrl: 'http://sqs/000000000000/hooklatch-dead-letters',
  destinations: {},
  destinationDeadLetters: {},
  orderedDeadLettersUrl: 'http://sqs/000000000000/hooklatch-dead-letters.fifo',
}
const PLACES = { region: 'us-east-1', account: '000000000000', sqs: 'http://sqs' }

const RECEIVER = {
  ReceiverEvents: { Type: 'AWS::DynamoDB::Table' },
  ReceiverQueue: { Type: 'AWS::SQS::Queue' },
  ReceiverAlarm: { Type: 'AWS::SNS::Topic' },
}

const stackOf = (
  resources: Readonly<Record<string, AppResource>>,
  variables: Readonly<Record<string, unknown>> = {},
  rest: Partial<AppStack> = {},
): AppStack => ({
  name: 'Webhooks',
  stage: '',
  template: {
    Resources: {
      ...RECEIVER,
      Worker: { Type: 'AWS::Lambda::Function', Properties: { Timeout: 9, Environment: { Variables: variables } } },
      ...resources,
    },
  },
  paths: {
    ReceiverEvents: '/Webhooks/Receiver/Tables/Events/Resource',
    ReceiverQueue: '/Webhooks/Receiver/Events/Queue/Resource',
    ReceiverAlarm: '/Webhooks/Receiver/Alarms/Topic',
    Worker: '/Webhooks/Receiver/Worker/Function/Resource',
  },
  receivers: [{ path: '/Webhooks/Receiver', sources: {} }],
  ...rest,
})

const planOf = (...stacks: readonly AppStack[]) => {
  const found = findReceiver(stacks, undefined)
  if (found === undefined || isRefusal(found)) throw new Error('no receiver')
  return planApp(found, OURS, PLACES)
}

describe('what an app creates on this machine', () => {
  it('tables, queues and buckets of the app are created under their own names or logical ids, and nothing of the receiver', () => {
    const { resources } = planOf(
      stackOf({
        Invoices: { Type: 'AWS::DynamoDB::Table', Properties: { KeySchema: [] } },
        Orders: { Type: 'AWS::DynamoDB::GlobalTable', Properties: { TableName: 'orders' } },
        Jobs: { Type: 'AWS::SQS::Queue', Properties: { FifoQueue: true } },
        Reports: { Type: 'AWS::S3::Bucket' },
      }),
    )
    expect(resources.map(({ logicalId, name, service }) => [logicalId, name, service])).toEqual([
      ['Invoices', 'Invoices', 'table'],
      ['Orders', 'orders', 'table'],
      ['Jobs', 'Jobs.fifo', 'queue'],
      ['Reports', 'reports', 'bucket'],
    ])
  })

  it('a property that refers to what is not here is left out, and one that refers to another queue is resolved', () => {
    const { resources } = planOf(
      stackOf({
        Dead: { Type: 'AWS::SQS::Queue' },
        Jobs: {
          Type: 'AWS::SQS::Queue',
          Properties: {
            KmsMasterKeyId: { 'Fn::GetAtt': ['Key', 'Arn'] },
            RedrivePolicy: { deadLetterTargetArn: { 'Fn::GetAtt': ['Dead', 'Arn'] }, maxReceiveCount: 3 },
          },
        },
      }),
    )
    expect(resources[1]?.properties).toEqual({
      RedrivePolicy: { deadLetterTargetArn: 'arn:aws:sqs:us-east-1:000000000000:Dead', maxReceiveCount: 3 },
    })
  })

  it('two stacks may have a table of the same logical id', () => {
    const other = stackOf({}, {}, { name: 'Data', receivers: [], paths: {} })
    const table = { Type: 'AWS::DynamoDB::Table' }
    const data = { ...other, template: { Resources: { Invoices: table } } }
    const { resources } = planOf(stackOf({ Invoices: table }), data)
    expect(resources.map(({ name }) => name)).toEqual(['Invoices', 'Data-Invoices'])
  })
})

describe('the variables of the worker', () => {
  it('the functions of destinations add their variables, and a name that means two things is told', () => {
    const functionWith = (Variables: object) => ({
      Type: 'AWS::Lambda::Function',
      Properties: { Environment: { Variables } },
    })
    const stack = stackOf(
      { Billing: functionWith({ HOOKLATCH_QUEUE_URL: 'another', LEDGER: 'ledger', TABLE: 'billing' }) },
      { HOOKLATCH_QUEUE_URL: { Ref: 'ReceiverQueue' }, TABLE: 'events' },
      { receivers: [{ path: '/Webhooks/Receiver', sources: {}, destinations: { billing: { worker: 'b.ts' } } }] },
    )
    const paths = { ...stack.paths, Billing: '/Webhooks/Receiver/Destinations/billing/Handler/Function/Resource' }
    const { variables, notes } = planOf({ ...stack, paths })
    expect(variables).toMatchObject({ LEDGER: 'ledger', TABLE: 'events' })
    expect(variables.HOOKLATCH_QUEUE_URL).not.toBe('another')
    expect(notes).toEqual(['TABLE is events for billing too, not billing: one process runs all workers here'])
  })

  it('variables refer to the local names of the app, of the receiver and of another stack of its stage', () => {
    const data: AppStack = {
      ...stackOf({}, {}, { name: 'Data', receivers: [], paths: {} }),
      template: {
        Resources: { Ledger: { Type: 'AWS::DynamoDB::Table' } },
        Outputs: { Shared: { Value: { Ref: 'Ledger' }, Export: { Name: { 'Fn::Sub': '${AWS::StackName}:Ledger' } } } },
      },
    }
    const { variables, notes } = planOf(
      stackOf(
        {
          Invoices: { Type: 'AWS::DynamoDB::Table' },
          Jobs: { Type: 'AWS::SQS::Queue' },
          Files: { Type: 'AWS::S3::Bucket' },
        },
        {
          HOOKLATCH_ENVIRONMENT: 'production',
          HOOKLATCH_EVENTS_TABLE: { Ref: 'ReceiverEvents' },
          HOOKLATCH_QUEUE_URL: { Ref: 'ReceiverQueue' },
          HOOKLATCH_FINGERPRINT_KEY: { Ref: 'ReceiverSecret' },
          INVOICES: { Ref: 'Invoices' },
          INVOICES_ARN: { 'Fn::GetAtt': ['Invoices', 'Arn'] },
          JOBS: { Ref: 'Jobs' },
          FILES: { 'Fn::Sub': 's3://${Files}/in' },
          LEDGER: { 'Fn::ImportValue': 'Data:Ledger' },
          PLACE: { 'Fn::Join': ['-', [{ Ref: 'AWS::Region' }, 'x']] },
          LIMIT: 5,
        },
      ),
      data,
    )
    expect(variables).toEqual({
      HOOKLATCH_EVENTS_TABLE: 'hooklatch-events',
      HOOKLATCH_QUEUE_URL: 'http://sqs/000000000000/hooklatch-events',
      INVOICES: 'Invoices',
      INVOICES_ARN: 'arn:aws:dynamodb:us-east-1:000000000000:table/Invoices',
      JOBS: 'http://sqs/000000000000/Jobs',
      FILES: 's3://files/in',
      LEDGER: 'Ledger',
      PLACE: 'us-east-1-x',
      LIMIT: '5',
    })
    expect(notes).toEqual([])
  })
})

describe('what is not on this machine', () => {
  it('what no engine here has is named once for each kind, with what its absence means', () => {
    const { notes, variables } = planOf(
      stackOf(
        {
          Alerts: { Type: 'AWS::SNS::Topic' },
          News: { Type: 'AWS::SNS::Topic' },
          Mailer: { Type: 'AWS::Lambda::Function' },
          MailerRole: { Type: 'AWS::IAM::Role' },
          CustomS3AutoDeleteHandler: { Type: 'AWS::Lambda::Function' },
          Invoices: {
            Type: 'AWS::DynamoDB::Table',
            Properties: { StreamSpecification: { StreamViewType: 'KEYS_ONLY' } },
          },
        },
        { TOPIC: { Ref: 'Alerts' } },
      ),
    )
    expect(notes).toEqual([
      'Alerts, News (AWS::SNS::Topic): this machine has no SNS, so publishing to it fails',
      'Mailer (AWS::Lambda::Function): only the worker runs on this machine, so what this one would do does not happen',
      'Invoices has a stream in AWS: on this machine nothing reads its changes',
      'TOPIC is not set, since it comes from Alerts (AWS::SNS::Topic)',
    ])
    expect(variables).toEqual({})
  })
})

describe('which receiver of an app runs', () => {
  const staging = stackOf({}, {}, { name: 'Staging', stage: 'staging' })
  const production = stackOf({}, {}, { name: 'Production', stage: 'production' })

  it('the first receiver of several runs, and a note says how to choose another', () => {
    expect(findReceiver([staging, production], undefined)).toMatchObject({
      stack: { name: 'Staging' },
      stacks: [{ name: 'Staging' }],
      workerTimeoutSeconds: 9,
      notes: [expect.stringMatching(/2 receivers, and this is the one of Staging: --stack NAME .*Production/)],
    })
  })

  it('--stack chooses the receiver, and a stack without one is refused', () => {
    expect(findReceiver([staging, production], 'Production')).toMatchObject({
      stack: { name: 'Production' },
      notes: [],
    })
    expect(findReceiver([staging], 'Other')).toMatchObject({
      exitCode: 2,
      refused: expect.stringMatching(/it has Staging/),
    })
  })

  it('an app without a receiver has none to run', () => {
    expect(findReceiver([stackOf({}, {}, { receivers: [] })], undefined)).toBeUndefined()
  })
})
