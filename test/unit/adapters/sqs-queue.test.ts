import { SendMessageBatchCommand, SendMessageCommand, SQSClient, SQSServiceException } from '@aws-sdk/client-sqs'
import { mockClient } from 'aws-sdk-client-mock'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { sdkQueue } from '../../../functions/adapters/sdk/queue.ts'
import { sqsQueue } from '../../../functions/adapters/sqs-queue.ts'
import type { Message } from '../../../functions/contract/message.ts'
import { RIG_KEY } from '../../support/sealed.ts'

const sqs = mockClient(SQSClient)
// Other files of this process speak to a server.
afterAll(() => {
  sqs.restore()
})
const aws = { queue: sdkQueue(new SQSClient({ region: 'us-east-1' })) }
const queue = sqsQueue(aws, { queueUrl: 'https://sqs.example/queue' })

const MESSAGE: Message = {
  version: 1,
  id: 'f'.repeat(64),
  source: 'stripe',
  provider: 'stripe',
  eventId: 'evt_caf\u00e9',
  type: null,
  generation: 0,
  edition: 0,
  receivedAt: '2026-11-15T12:00:00.000Z',
  correlationId: 'request-1',
  expiresAt: 1_800_000_000,
  retain: 604_800,
  bodySigned: true,
  headers: {},
  ordering: null,
  body: { sha256: '0'.repeat(64), size: 2, encoding: 'base64', data: 'e30=' },
}

const fault = (kind: 'client' | 'server', attempts: number) =>
  new SQSServiceException({ name: 'Nope', message: 'no', $fault: kind, $metadata: { attempts } })

beforeEach(() => sqs.reset())

describe('sending', () => {
  it('a message is sent as one SendMessage of ASCII text with the attributes that have a value', async () => {
    sqs.on(SendMessageCommand).resolves({})
    expect(await queue.send(MESSAGE, { amazonTrace: 'Root=1-5759e988-bd862e3fe1be46a994272793' }, RIG_KEY)).toEqual({
      kind: 'sent',
    })
    const input = sqs.commandCalls(SendMessageCommand)[0]?.args[0].input
    expect(input?.QueueUrl).toBe('https://sqs.example/queue')
    expect(input?.MessageBody).toContain('"eventId":"evt_caf\\u00e9"')
    expect(input?.MessageAttributes).toEqual({
      source: { DataType: 'String', StringValue: 'stripe' },
      correlationId: { DataType: 'String', StringValue: 'request-1' },
      'x-amzn-trace-id': { DataType: 'String', StringValue: 'Root=1-5759e988-bd862e3fe1be46a994272793' },
    })
  })

  it.each([
    ['a 4xx to the only attempt', fault('client', 1), 'refused'],
    ['a 4xx after a retry, when the first attempt may have been applied', fault('client', 2), 'unavailable'],
    ['a 5xx', fault('server', 1), 'unavailable'],
    ['a broken connection', new Error('socket hang up'), 'unavailable'],
  ] as const)('a send that meets %s is told as refused or unavailable', async (_name, error, kind) => {
    sqs.on(SendMessageCommand).rejects(error)
    expect((await queue.send(MESSAGE, {}, RIG_KEY)).kind).toBe(kind)
  })
})

describe('sending many', () => {
  const entries = (count: number, data = 'e30=') =>
    Array.from({ length: count }, (_, index) => ({
      message: { ...MESSAGE, eventId: `evt_${index}`, body: { ...MESSAGE.body, encoding: 'base64' as const, data } },
      trace: {},
    }))
  /** All of them, but for those that failed. */
  const sent = (attempts: number, ...Failed: { Id: string; SenderFault: boolean; Code: string }[]) =>
    sqs.on(SendMessageBatchCommand).callsFake(({ Entries }: { Entries: readonly { Id: string }[] }) => ({
      $metadata: { attempts },
      Successful: Entries.filter(({ Id }) => !Failed.some(failure => failure.Id === Id)).map(({ Id }) => ({ Id })),
      Failed,
    }))
  const sizes = () => sqs.commandCalls(SendMessageBatchCommand).map(call => call.args[0].input.Entries?.length)

  it('a batch is sent ten messages at a time', async () => {
    sent(1)
    expect(await queue.sendBatch(entries(25), RIG_KEY)).toEqual(Array.from({ length: 25 }, () => ({ kind: 'sent' })))
    expect(sizes()).toEqual([10, 10, 5])
  })

  it('a batch is sent in calls no larger than one message may be', async () => {
    sent(1)
    await queue.sendBatch(entries(5, 'A'.repeat(400_000)), RIG_KEY)
    expect(sizes()).toEqual([2, 2, 1])
  })

  it('each message of a batch gets its own answer, in order', async () => {
    sent(
      1,
      { Id: '1', SenderFault: true, Code: 'InvalidMessageContents' },
      { Id: '3', SenderFault: false, Code: 'InternalError' },
    )
    const kinds = (await queue.sendBatch(entries(4), RIG_KEY)).map(({ kind }) => kind)
    expect(kinds).toEqual(['sent', 'refused', 'sent', 'unavailable'])
  })

  it('a message that a second attempt refuses is unavailable: the first may have enqueued it', async () => {
    sent(2, { Id: '0', SenderFault: true, Code: 'InvalidMessageContents' })
    expect((await queue.sendBatch(entries(1), RIG_KEY)).map(({ kind }) => kind)).toEqual(['unavailable'])
  })

  it('a call that fails as a whole fails for each of its messages, refused or unavailable', async () => {
    sqs.on(SendMessageBatchCommand).rejectsOnce(fault('client', 1)).rejects(new Error('socket hang up'))
    const kinds = (await queue.sendBatch(entries(11), RIG_KEY)).map(({ kind }) => kind)
    expect(kinds).toEqual([...Array.from({ length: 10 }, () => 'refused'), 'unavailable'])
  })

  it('an empty batch makes no call', async () => {
    expect(await queue.sendBatch([], RIG_KEY)).toEqual([])
    expect(sqs.calls()).toHaveLength(0)
  })
})

describe('an ordered message', () => {
  const ordered = { ...MESSAGE, ordering: { key: 'customer-1', version: null } }

  it('an ordered message goes to the FIFO queue, in the group of its source and key, once per generation', async () => {
    sqs.on(SendMessageCommand).resolves({})
    const both = sqsQueue(aws, { queueUrl: 's', orderedQueueUrl: 'o.fifo' })
    await both.send(ordered, {}, RIG_KEY)
    await both.send({ ...ordered, source: 'other', generation: 1 }, {}, RIG_KEY)
    const [first, second] = sqs.commandCalls(SendMessageCommand).map(call => call.args[0].input)
    expect(first).toMatchObject({ QueueUrl: 'o.fifo', MessageDeduplicationId: `${MESSAGE.id}-0` })
    expect(second).toMatchObject({ QueueUrl: 'o.fifo', MessageDeduplicationId: `${MESSAGE.id}-1` })
    expect(first?.MessageGroupId).toMatch(/^[0-9a-f]{64}$/)
    expect(second?.MessageGroupId).not.toBe(first?.MessageGroupId)
  })

  it('an ordered message is not sent if there is no ordered queue', async () => {
    expect((await queue.send(ordered, {}, RIG_KEY)).kind).toBe('unavailable')
    expect(sqs.calls()).toHaveLength(0)
  })
})
