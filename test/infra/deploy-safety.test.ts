import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { AttributeType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Runtime } from 'aws-cdk-lib/aws-lambda'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { describe, expect, it } from 'vitest'
import { WebhookReceiver } from '../../lib/index.ts'
import { ORDERED_SOURCES, receiverStack, SOURCES, synth } from './synth.ts'

/** Another logical id is another resource: CloudFormation would create it empty and leave the old one behind. */
const PINNED = {
  ReceiverTablesEvents15E0338C: 'AWS::DynamoDB::Table',
  ReceiverTablesBodies07370979: 'AWS::DynamoDB::Table',
  ReceiverBodiesBucket51BB9D9D: 'AWS::S3::Bucket',
  ReceiverEventsQueue56FFD86E: 'AWS::SQS::Queue',
  ReceiverEventsDeadLetters464823AE: 'AWS::SQS::Queue',
  ReceiverSecretsSigning38456459: 'AWS::SecretsManager::Secret',
  ReceiverSecretsFingerprintKey766271A7: 'AWS::SecretsManager::Secret',
}
const PINNED_ORDERED = {
  ReceiverOrderedEventsQueue7DA2F577: 'AWS::SQS::Queue',
  ReceiverOrderedEventsDeadLettersB3F6939C: 'AWS::SQS::Queue',
}
/** Lambda takes one mapping for a queue and a function, and CloudFormation creates the new before it deletes the old. */
const PINNED_MAPPINGS = ['ReceiverBuryFromDeadLetters6B0D80E0', 'ReceiverWorkerFromQueueFD963B39']
const PINNED_ORDERED_MAPPINGS = ['ReceiverBuryFromOrderedDeadLettersF6112E3B', 'ReceiverWorkerFromOrderedQueue6E1578BD']
const STATEFUL = new Set(Object.values(PINNED))
const ordered = synth({ sources: ORDERED_SOURCES })

describe('an update keeps the data', () => {
  it.each([
    ['by default', synth()],
    ['with a REST API', synth({ api: 'rest' })],
    ['in a throw-away stack', synth({ throwAway: true })],
    ['in another environment', synth({ environment: 'staging' })],
    ['with a canary', synth({ canary: true })],
    ['with every recommended feature flag of CDK', synth({}, CURRENTLY_RECOMMENDED_FLAGS)],
  ])('the tables, queues, bucket and secrets keep their logical ids %s', (_, { resources }) => {
    expect(statefulOf(resources)).toEqual(PINNED)
  })

  it('a source that names an ordering key adds two queues and moves nothing', () => {
    expect(statefulOf(ordered.resources)).toEqual({ ...PINNED, ...PINNED_ORDERED })
  })

  it('the default stack has these resources, and a change of them is seen in a review', async () => {
    const lines = Object.entries(synth().resources).map(([id, { Type }]) => `${id} ${Type}`)
    await expect(`${lines.toSorted().join('\n')}\n`).toMatchFileSnapshot('default-resources.txt')
  })

  it('the subscriptions keep their logical ids', () => {
    const ids = ({ template }: typeof ordered) =>
      Object.keys(template.findResources('AWS::Lambda::EventSourceMapping')).toSorted()
    expect(ids(synth())).toEqual(PINNED_MAPPINGS)
    expect(ids(ordered)).toEqual([...PINNED_MAPPINGS, ...PINNED_ORDERED_MAPPINGS].toSorted())
  })

  it('the API keeps its logical id, and with it the URLs that the senders know', () => {
    expect(synth().resources.ReceiverIngressHttp4730F1BE?.Type).toBe('AWS::ApiGatewayV2::Api')
    expect(synth({ api: 'rest' }).resources.ReceiverIngressRest93EE2A74?.Type).toBe('AWS::ApiGateway::RestApi')
  })

  it('nothing that would make CloudFormation replace a table, a queue or the bucket has changed', () => {
    const { resources } = synth()
    expect(resources.ReceiverTablesEvents15E0338C?.Properties).toMatchObject({
      KeySchema: [{ AttributeName: 'fingerprint', KeyType: 'HASH' }],
    })
    expect(resources.ReceiverTablesBodies07370979?.Properties).toMatchObject({
      KeySchema: [
        { AttributeName: 'fingerprint', KeyType: 'HASH' },
        { AttributeName: 'sha256', KeyType: 'RANGE' },
      ],
    })
    expect(resources.ReceiverTablesEvents15E0338C?.Properties.TableName).toBeUndefined()
    expect(resources.ReceiverTablesBodies07370979?.Properties.TableName).toBeUndefined()
    expect(resources.ReceiverBodiesBucket51BB9D9D?.Properties.BucketName).toBeUndefined()
    expect(resources.ReceiverEventsDeadLetters464823AE?.Properties.QueueName).toBeUndefined()
    expect(resources.ReceiverEventsQueue56FFD86E?.Properties.QueueName).toEqual({
      'Fn::Join': ['', ['Test-Receiver-Events-CD523D8E-', STACK_ID_TAIL]],
    })
    expect(ordered.find('AWS::SQS::Queue', 'ReceiverOrderedEventsQueue').Properties.QueueName).toEqual({
      'Fn::Join': ['', ['Test-Receiver-OrderedEvents-9078E7AC-', STACK_ID_TAIL, '.fifo']],
    })
  })
})

const statefulOf = (resources: (typeof ordered)['resources']) =>
  Object.fromEntries(
    Object.entries(resources)
      .filter(([, { Type }]) => STATEFUL.has(Type))
      .map(([id, { Type }]) => [id, Type]),
  )

const STACK_ID_TAIL = {
  'Fn::Select': [0, { 'Fn::Split': ['-', { 'Fn::Select': [2, { 'Fn::Split': ['/', { Ref: 'AWS::StackId' }] }] }] }],
}

describe('cdk-nag', () => {
  it.each([
    ['the HTTP API', {}, {}],
    ['the REST API', { api: 'rest' }, {}],
    ['the REST API with every recommended feature flag', { api: 'rest' }, CURRENTLY_RECOMMENDED_FLAGS],
    ['an ordered source', { sources: ORDERED_SOURCES }, {}],
    ['an ordered source behind the REST API', { sources: ORDERED_SOURCES, api: 'rest' }, {}],
    ['data that can be thrown away', { throwAway: true }, {}],
    ['a chosen runtime', { runtime: Runtime.NODEJS_22_X }, {}],
  ] as const)('cdk-nag finds nothing unexplained in a stack with %s', (_, props, flags) => {
    const stack = receiverStack(props, flags)
    for (const pack of [new AwsSolutionsChecks(), new ServerlessChecks()]) {
      expect(pack.validateScope(stack).violations).toEqual([])
    }
  })

  it('cdk-nag finds something in a stack that explains nothing', () => {
    const stack = new Stack()
    new Topic(stack, 'Unprotected')
    expect(new AwsSolutionsChecks().validateScope(stack).success).toBe(false)
  })
})

describe('the construct in a stack of the user', () => {
  const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } })
  const stack = new Stack(app, 'Theirs')
  const topic = new Topic(stack, 'Pager')
  const receivers = ['One', 'Two'].map(id => new WebhookReceiver(stack, id, { sources: SOURCES, alarmTopic: topic }))
  const orders = new Table(stack, 'Orders', { partitionKey: { name: 'id', type: AttributeType.STRING } })
  for (const { worker } of receivers) {
    orders.grantWriteData(worker)
    worker.addEnvironment('ORDERS_TABLE', orders.tableName)
  }

  it('two receivers can be in one stack, each with its own data', () => {
    Template.fromStack(stack).resourceCountIs('AWS::DynamoDB::Table', 4 + 1)
  })

  it('an alarm tells the topic of the user when it starts and when it ends', () => {
    Template.fromStack(stack).allResourcesProperties('AWS::CloudWatch::Alarm', {
      AlarmActions: [stack.resolve(topic.topicArn)],
      OKActions: [stack.resolve(topic.topicArn)],
    })
  })

  it('a user can grant the worker their own tables and tell it where they are', () => {
    const template = Template.fromStack(stack)
    const workers = Object.values(template.findResources('AWS::Lambda::Function')).filter(
      ({ Properties }) => Properties.Environment?.Variables.ORDERS_TABLE,
    )
    expect(workers).toHaveLength(2)
    const policies = Object.values(template.findResources('AWS::IAM::Policy')).map(policy => JSON.stringify(policy))
    const [ordersId] = stack.resolve(orders.tableArn)['Fn::GetAtt']
    expect(policies.filter(policy => policy.includes(ordersId))).toHaveLength(2)
  })

  it('a receiver has a URL for every source', () => {
    for (const { urls } of receivers) expect(Object.keys(urls)).toEqual(['stripe', 'my-shop'])
  })
})
