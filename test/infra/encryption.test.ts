import { App, Stack } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Key } from 'aws-cdk-lib/aws-kms'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag'
import { describe, expect, it } from 'vitest'
import { type ReceiverStackProps, WebhookReceiver } from '../../lib/index.ts'
import { ReceiverStack } from '../../lib/stacks/receiver-stack.ts'
import { synth as synthApp } from '../../lib/stacks/synth.ts'
import { changedProperties, replacedBy } from './replacements.ts'
import { ORDERED_SOURCES, type Resource, SOURCES, synth } from './synth.ts'

const KEY = 'arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab'
const destinations = {
  crm: { worker: 'functions/worker/handler.ts' },
  legacy: { url: 'https://legacy.example.com/hooks' },
  bus: { bus: 'orders' },
}
const sources = {
  ...ORDERED_SOURCES,
  shop: { provider: 'shopify', routes: [{ to: ['crm', 'legacy'] }] },
  handed: { provider: 'asana' },
  own: { provider: 'internal', allow: '*' },
} as const
const WHOLE = { sources, destinations, api: 'rest' } as const satisfies Partial<ReceiverStackProps>

const before = synth(WHOLE)
const after = synth({ ...WHOLE, encryptionKeyArn: KEY })

const ofType = (type: string, { resources } = after) => Object.values(resources).filter(({ Type }) => Type === type)

describe('a key of the user', () => {
  it('a key of the user protects every table, queue, dead-letter queue, bucket, secret and log group', () => {
    for (const { Properties } of ofType('AWS::DynamoDB::Table')) {
      expect(Properties.SSESpecification).toEqual({ KMSMasterKeyId: KEY, SSEEnabled: true, SSEType: 'KMS' })
    }
    const queues = ofType('AWS::SQS::Queue')
    expect(queues).toHaveLength(12)
    for (const { Properties } of queues) {
      expect(Properties.KmsMasterKeyId).toBe(KEY)
      expect(Properties.SqsManagedSseEnabled).not.toBe(true)
    }
    const [bucket] = ofType('AWS::S3::Bucket')
    expect(bucket?.Properties.BucketEncryption.ServerSideEncryptionConfiguration).toEqual([
      {
        BucketKeyEnabled: true,
        ServerSideEncryptionByDefault: { KMSMasterKeyID: KEY, SSEAlgorithm: 'aws:kms' },
      },
    ])
    const secrets = ofType('AWS::SecretsManager::Secret')
    expect(secrets).toHaveLength(3)
    const groups = ofType('AWS::Logs::LogGroup')
    expect(groups.length).toBeGreaterThan(10)
    for (const { Properties } of [...secrets, ...groups]) expect(Properties.KmsKeyId).toBe(KEY)
  })

  it('setting a key on a stack that runs replaces nothing, and changes only how its data is protected', () => {
    expect(replacedBy(before.resources, after.resources)).toEqual([])
    expect(Object.keys(after.resources)).toEqual(Object.keys(before.resources))
    const changed = new Set(
      Object.entries(before.resources).flatMap(([id, old]) =>
        changedProperties(old, after.resources[id] as Resource).map(name => `${old.Type}.${name}`),
      ),
    )
    // The code is not bundled here, and each app has it in a directory of its own.
    changed.delete('AWS::Lambda::Function.Code')
    expect([...changed].toSorted()).toEqual([
      'AWS::DynamoDB::Table.SSESpecification',
      'AWS::IAM::ManagedPolicy.PolicyDocument',
      'AWS::IAM::Policy.PolicyDocument',
      'AWS::Logs::LogGroup.KmsKeyId',
      'AWS::S3::Bucket.BucketEncryption',
      'AWS::SQS::Queue.KmsMasterKeyId',
      'AWS::SQS::Queue.SqsManagedSseEnabled',
      'AWS::SecretsManager::Secret.KmsKeyId',
    ])
  })

  it('the schema that says so knows what does replace a table', () => {
    const renamed = structuredClone(before.resources)
    Object.assign(renamed.ReceiverTablesEvents15E0338C?.Properties ?? {}, { TableName: 'other' })
    expect(replacedBy(before.resources, renamed)).toEqual(['ReceiverTablesEvents15E0338C.TableName'])
  })

  const READ = 'kms:Decrypt'
  const WRITE = 'kms:Decrypt kms:GenerateDataKey'
  it.each([
    ['AWS::IAM::Policy', 'ReceiverReceive', { dynamodb: WRITE, s3: WRITE, secretsmanager: WRITE, sqs: WRITE }],
    ['AWS::IAM::Policy', 'ReceiverPublish', { dynamodb: WRITE, s3: WRITE, secretsmanager: READ, sqs: WRITE }],
    ['AWS::IAM::Policy', 'ReceiverWorker', { dynamodb: WRITE, s3: WRITE, secretsmanager: READ, sqs: READ }],
    ['AWS::IAM::Policy', 'ReceiverBury', { dynamodb: WRITE, s3: WRITE, secretsmanager: READ, sqs: READ }],
    ['AWS::IAM::Policy', 'ReceiverRecover', { dynamodb: WRITE, s3: READ, secretsmanager: READ, sqs: WRITE }],
    ['AWS::IAM::Policy', 'ReceiverFanOut', { dynamodb: WRITE, s3: WRITE, secretsmanager: READ, sqs: WRITE }],
    ['AWS::IAM::Policy', 'ReceiverDestinationscrm', { dynamodb: WRITE, s3: WRITE, secretsmanager: READ, sqs: READ }],
    ['AWS::IAM::Policy', 'ReceiverDestinationslegacy', { dynamodb: WRITE, s3: WRITE, secretsmanager: READ, sqs: READ }],
    ['AWS::IAM::ManagedPolicy', 'ReceiverPoliciesRead', { dynamodb: READ }],
    ['AWS::IAM::ManagedPolicy', 'ReceiverPoliciesBodies', { dynamodb: READ, s3: READ }],
    ['AWS::IAM::ManagedPolicy', 'ReceiverPoliciesSecrets', { secretsmanager: WRITE }],
    ['AWS::IAM::ManagedPolicy', 'ReceiverPoliciesReplay', {}],
  ])('the %s of %s may use the key through its services, and in no other way', (type, prefix, expected) => {
    expect(keyUseOf(after.find(type, prefix))).toEqual(expected)
  })

  it('without a key, no policy speaks of one', () => {
    expect(JSON.stringify(before.resources)).not.toContain('kms:')
  })

  it('a key of the app lets CloudWatch Logs use it for log groups of this account and region', () => {
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } })
    const stack = new Stack(app, 'Theirs')
    const encryptionKey = new Key(stack, 'Key', { enableKeyRotation: true })
    new WebhookReceiver(stack, 'Receiver', { sources: SOURCES, encryptionKey })
    const [{ Properties }] = Object.values(Template.fromStack(stack).findResources('AWS::KMS::Key')) as [Resource]
    const logs = (Properties.KeyPolicy.Statement as { Principal: { Service?: unknown } }[]).filter(
      ({ Principal }) => Principal.Service,
    )
    expect(logs).toEqual([
      {
        Effect: 'Allow',
        Principal: { Service: { 'Fn::Join': ['', ['logs.', { Ref: 'AWS::Region' }, '.amazonaws.com']] } },
        Action: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
        Resource: '*',
        Condition: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': expect.anything() } },
      },
    ])
    for (const pack of [new AwsSolutionsChecks(), new ServerlessChecks()]) {
      expect(pack.validateScope(stack).violations).toEqual([])
    }
  })

  it('cdk-nag finds nothing unexplained in a stack with a key, destinations and the REST API', () => {
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } })
    const stack = new ReceiverStack(app, 'Test', { ...WHOLE, encryptionKeyArn: KEY })
    for (const pack of [new AwsSolutionsChecks(), new ServerlessChecks()]) {
      expect(pack.validateScope(stack).violations).toEqual([])
    }
  })

  it('-c encryptionKey and -c logRetention reach every table and log group of the app', () => {
    const app = new App({ context: { 'aws:cdk:bundling-stacks': [], encryptionKey: KEY, logRetention: '90' } })
    synthApp(SOURCES, app)
    const template = Template.fromStack(app.node.findChild('Hooklatch-production') as Stack)
    const tables = Object.values(template.findResources('AWS::DynamoDB::Table')) as Resource[]
    expect(tables).toHaveLength(3)
    for (const { Properties } of tables) expect(Properties.SSESpecification.KMSMasterKeyId).toBe(KEY)
    template.allResourcesProperties('AWS::Logs::LogGroup', { KmsKeyId: KEY, RetentionInDays: 90 })
  })
})

it.each(['http', 'rest', 'url'] as const)('the log retention is that of every log group with api %s', api => {
  const { template } = synth({ ...WHOLE, api, logRetention: RetentionDays.ONE_YEAR })
  template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 365 })
  synth({ ...WHOLE, api }).template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 30 })
})

/** What a policy may do with the key, by the service that does it. Every statement about a key has to name one. */
const keyUseOf = ({ Properties }: Resource): Record<string, string> => {
  const uses = new Map<string, Set<string>>()
  for (const { Action, Resource, Condition } of Properties.PolicyDocument.Statement) {
    const actions = [Action].flat().filter((action: string) => action.startsWith('kms:'))
    if (actions.length === 0) continue
    expect(Resource).toBe(KEY)
    const [via] = Condition.StringEquals['kms:ViaService']['Fn::Join'][1] as [string]
    const service = via.replace(/\.$/, '')
    uses.set(service, new Set([...(uses.get(service) ?? []), ...actions]))
  }
  return Object.fromEntries([...uses].map(([service, actions]) => [service, [...actions].toSorted().join(' ')]))
}
