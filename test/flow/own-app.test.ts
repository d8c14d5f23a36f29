import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  endLocals,
  eventually,
  hooklatch,
  type RunningLocal,
  startLocal,
  until,
  workplace,
} from '../support/local-rig.ts'

const ROOT = join(import.meta.dirname, '../..')

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
afterAll(endLocals)

const APP = `
import { App, Duration, Stack } from 'aws-cdk-lib'
import { AttributeType, StreamViewType, Table } from 'aws-cdk-lib/aws-dynamodb'
import { Bucket } from 'aws-cdk-lib/aws-s3'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { Queue } from 'aws-cdk-lib/aws-sqs'
import { WebhookReceiver } from '${ROOT}/lib/index.ts'
import sources from './hooks.ts'

const stack = new Stack(new App(), 'Webhooks')
const { worker } = new WebhookReceiver(stack, 'Receiver', { sources, worker: 'code/worker.ts', tries: 2 })
const ledger = new Table(stack, 'Ledger', {
  partitionKey: { name: 'account', type: AttributeType.STRING },
  sortKey: { name: 'entry', type: AttributeType.STRING },
  timeToLiveAttribute: 'until',
  stream: StreamViewType.KEYS_ONLY,
})
ledger.addGlobalSecondaryIndex({ indexName: 'by-type', partitionKey: { name: 'type', type: AttributeType.STRING } })
const dead = new Queue(stack, 'Dead')
const jobs = new Queue(stack, 'Jobs', { deadLetterQueue: { queue: dead, maxReceiveCount: 3 }, visibilityTimeout: Duration.seconds(7) })
const files = new Bucket(stack, 'Files')
const topic = new Topic(stack, 'News')
for (const [name, value] of Object.entries({
  LEDGER: ledger.tableName,
  JOBS: jobs.queueUrl,
  FILES: 's3://' + files.bucketName + '/in',
  NEWS: topic.topicArn,
})) worker.addEnvironment(name, value)
`

const SOURCES = `export default { billing: { provider: 'stripe' } }`

/** Commits into its own table, asks its index, and uses the other engines with clients that were told nothing. */
const WORKER = `
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb'
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { label } from './label.ts'

const { LEDGER, JOBS, FILES, NEWS } = process.env

export const work = async (event, { commit }) => {
  const ask = { TableName: LEDGER, IndexName: 'by-type', KeyConditionExpression: '#t = :t', ExpressionAttributeNames: { '#t': 'type' }, ExpressionAttributeValues: { ':t': { S: event.type } } }
  const { Count } = await new DynamoDBClient({}).send(new QueryCommand(ask))
  const sqs = new SQSClient({})
  await sqs.send(new SendMessageCommand({ QueueUrl: JOBS, MessageBody: event.eventId }))
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: JOBS, AttributeNames: ['All'] }))
  await new S3Client({}).send(new PutObjectCommand({ Bucket: new URL(FILES).host, Key: event.eventId, Body: 'x' }))
  const { VisibilityTimeout, RedrivePolicy } = Attributes
  const deadAfter = JSON.parse(RedrivePolicy).maxReceiveCount
  const Item = { account: 'a-1', entry: event.eventId, type: event.type, before: Count, VisibilityTimeout, deadAfter, label, news: NEWS ?? 'unset' }
  await commit([{ Put: { TableName: LEDGER, Item } }])
}
`

const LABEL = "export const label = 'first'"

const directory = workplace()
const write = (name: string, content: string): void => writeFileSync(join(directory, name), content)

const sent = async (id: string) => {
  expect((await hooklatch(directory, 'send', 'billing', '--id', id, '--type', 'invoice.paid')).out).toMatch(/^202 /)
  return eventually(
    `${id} done`,
    async () => JSON.parse((await hooklatch(directory, 'show', id, '--json')).out),
    event => event.status === 'done',
  )
}

describe('hooklatch start in an app of one’s own', () => {
  let local: RunningLocal
  beforeAll(async () => {
    write('cdk.json', JSON.stringify({ app: 'node app.ts' }))
    write('package-lock.json', '{}')
    write('app.ts', APP)
    write('hooks.ts', SOURCES)
    mkdirSync(join(directory, 'code'))
    write('code/worker.ts', WORKER)
    write('code/label.ts', LABEL)
    local = await startLocal(directory)
  })

  it('the sources, the worker and the tables are those of the template, and what is not here is named', () => {
    expect(local.out()).toContain('Reading what the app creates: node app.ts')
    expect(local.out()).toContain(`POST ${local.url}/webhooks/billing`)
    expect(local.out()).not.toContain('/webhooks/stripe')
    expect(local.out()).toContain('Events go to code/worker.ts')
    expect(local.out()).toMatch(/! News\w* \(AWS::SNS::Topic\): this machine has no SNS, so publishing to it fails/)
    expect(local.out()).toMatch(/! Ledger\w* has a stream in AWS: on this machine nothing reads its changes/)
    expect(local.out()).toMatch(/! NEWS is not set, since it comes from News/)
    expect(Object.entries(local.app.tables)).toEqual([
      [expect.stringMatching(/^Ledger/), expect.stringMatching(/^Ledger/)],
    ])
  })

  it('commit writes into the app’s own table, and the worker’s own SDK clients reach the engines', async () => {
    const event = await sent('evt_one')
    const [table] = Object.values(local.app.tables)
    const item = {
      account: 'a-1',
      entry: 'evt_one',
      type: 'invoice.paid',
      before: 0,
      VisibilityTimeout: '7',
      deadAfter: 3,
      label: 'first',
      news: 'unset',
    }
    expect(event.effects).toEqual([{ table, key: { account: 'a-1', entry: 'evt_one' }, item }])
    const shown = await hooklatch(directory, 'show', 'evt_one')
    expect(shown.out).toContain(`In your tables:\n${table}  {`)
  })

  it('the file of the local instance has all that one’s own tools need to read the table', async () => {
    const { endpoints, credentials, app } = local
    const { region, ...keys } = credentials
    const client = new DynamoDBClient({ endpoint: endpoints.dynamodb, region, credentials: keys })
    const [TableName = ''] = Object.values(app.tables)
    const Key = { account: { S: 'a-1' }, entry: { S: 'evt_one' } }
    const { Item } = await client.send(new GetItemCommand({ TableName, Key }))
    expect(Item?.label).toEqual({ S: 'first' })
  })

  it('a change in a module of the worker is in force for the next event, without a restart', async () => {
    write('code/label.ts', "export const label = 'second, and longer'")
    const event = await sent('evt_two')
    expect(event.effects[0].item).toMatchObject({ entry: 'evt_two', label: 'second, and longer', before: 1 })
    expect(local.out()).toContain('The worker has changed, and is loaded again')
  })

  it('an attempt with a worker that cannot be loaded fails with the reason, and the event waits for the next', async () => {
    write('code/label.ts', 'export const label = ')
    await hooklatch(directory, 'send', 'billing', '--id', 'evt_broken', '--type', 'invoice.paid')
    await until('a failed attempt', () =>
      /attempt failed .*evt_broken .*cannot be used: .*label\.ts, line 1\)/.test(local.out()),
    )
    write('code/label.ts', LABEL)
  })

  it('the next start reads the app from its cache, even if the worker has changed, and runs it again if the app has', async () => {
    local.signal('SIGTERM')
    await local.finished
    write('code/worker.ts', readFileSync(join(directory, 'code/worker.ts'), 'utf8').replace("'a-1'", "'a-2'"))
    const again = await startLocal(directory)
    expect(again.out()).not.toContain('Reading what the app creates')
    expect(again.app.tables).toEqual(local.app.tables)
    again.signal('SIGTERM')
    await again.finished

    write('app.ts', "throw new Error('the account is not known')")
    const { code, err } = await hooklatch(directory, 'start', '--port', '0')
    expect(code).toBe(1)
    expect(err).toContain('The app could not be synthesised, so its tables cannot be created here. `node app.ts` said:')
    expect(err).toContain('the account is not known')
  })

  it('--worker and --source-file start without the app', async () => {
    const flags = ['--worker', join(ROOT, 'functions/worker/handler.ts'), '--source-file', join(ROOT, 'sources.ts')]
    const without = await startLocal(directory, flags)
    expect(without.app.tables).toEqual({})
    expect(without.out()).toContain('/webhooks/stripe')
    without.signal('SIGTERM')
    await without.finished
  })
})
