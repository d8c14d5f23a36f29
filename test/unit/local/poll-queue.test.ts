import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
} from '@aws-sdk/client-sqs'
import type { SQSEvent, SQSRecord } from 'aws-lambda'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { sdkQueue } from '../../../functions/adapters/sdk/queue.ts'
import type { ReceivedMessage } from '../../../functions/adapters/wire/queue-calls.ts'
import { millis } from '../../../functions/domain/brands.ts'
import { startFauxqs } from '../../../lib/local/engines/start-fauxqs.ts'
import { type Polled, pollQueue } from '../../../lib/local/poll-queue.ts'
import { clientsFor } from '../../support/engines.ts'

let engine: Awaited<ReturnType<typeof startFauxqs>>
beforeAll(async () => {
  engine = await startFauxqs()
})
afterAll(() => engine.stop())

let queues = 0

/** A queue of its own, and a poller in front of a handler. */
const polled = async (handler: Polled['handler'], { fifo = false, visibility = 30, timeout = 5_000 } = {}) => {
  const { sqs } = clientsFor({ sqs: engine.endpoint })
  const name = `queue-${queues++}${fifo ? '.fifo' : ''}`
  const Attributes = { VisibilityTimeout: String(visibility), ...(fifo && { FifoQueue: 'true' }) }
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }))
  const warnings: string[] = []
  const seen: SQSRecord[] = []
  const open = () => {
    const poller = pollQueue({
      queue: sdkQueue(sqs),
      queueUrl: QueueUrl,
      handler: (event, context) => {
        seen.push(...event.Records)
        return handler(event, context)
      },
      timeout: millis(timeout),
      warn: sentence => warnings.push(sentence),
    })
    onTestFinished(poller.stop)
    return poller
  }
  return {
    name,
    open,
    seen,
    warnings,
    send: (MessageBody: string, more: Partial<SendMessageCommandInput> = {}) =>
      sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, ...more })),
    left: async () => {
      const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
      )
      return AttributeNames.reduce((sum, each) => sum + Number(Attributes[each]), 0)
    },
  }
}

const eventually = vi.waitUntil
const all = ({ Records }: SQSEvent) => ({
  batchItemFailures: Records.map(({ messageId }) => ({ itemIdentifier: messageId })),
})

describe('a poller', () => {
  it('the poller hands over whole messages and deletes them when they were handled', async () => {
    const at = await polled(async () => ({ batchItemFailures: [] }))
    const sent = await at.send('one', { MessageAttributes: { source: { DataType: 'String', StringValue: 'stripe' } } })
    at.open()
    await eventually(() => at.seen.length === 1)
    expect(at.seen[0]).toMatchObject({
      messageId: sent.MessageId,
      receiptHandle: expect.stringMatching(/./),
      body: 'one',
      attributes: {
        ApproximateReceiveCount: '1',
        SentTimestamp: expect.stringMatching(/^\d{13}$/),
        ApproximateFirstReceiveTimestamp: expect.stringMatching(/^\d{13}$/),
        SenderId: expect.any(String),
      },
      messageAttributes: { source: { stringValue: 'stripe', dataType: 'String' } },
      eventSource: 'aws:sqs',
      eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${at.name}`,
      awsRegion: 'us-east-1',
    })
    await eventually(async () => (await at.left()) === 0)
  })

  it('the poller names the group of a FIFO message, and hands over the next of a group when the one before is deleted', async () => {
    const at = await polled(async () => ({ batchItemFailures: [] }), { fifo: true })
    for (const body of ['one', 'two', 'three']) {
      await at.send(body, { MessageGroupId: 'customer-1', MessageDeduplicationId: body })
    }
    at.open()
    await eventually(() => at.seen.length === 3)
    expect(at.seen.map(({ body }) => body)).toEqual(['one', 'two', 'three'])
    expect(at.seen[0]?.attributes).toMatchObject({ MessageGroupId: 'customer-1', MessageDeduplicationId: 'one' })
  })

  it('the poller leaves a failed message, which comes back with a higher receive count', async () => {
    const fails = (record: SQSRecord) => record.body === 'bad' && record.attributes.ApproximateReceiveCount === '1'
    const at = await polled(async ({ Records }) => all({ Records: Records.filter(fails) }), { visibility: 1 })
    await at.send('good')
    await at.send('bad')
    at.open()
    await eventually(async () => (await at.left()) === 0, { timeout: 5_000 })
    expect(at.seen.map(({ body, attributes }) => `${body} ${attributes.ApproximateReceiveCount}`).sort()).toEqual([
      'bad 1',
      'bad 2',
      'good 1',
    ])
    expect(at.warnings).toEqual([])
  })

  it.each([
    ['whose answer is malformed', async () => ({ batchItemFailures: [{ itemIdentifier: 'x' }] }), /understood.*"x"/],
    ['that throws', () => Promise.reject(new Error('out of memory')), /comes back: out of memory/],
    ['that does not end', () => new Promise<never>(() => {}), /still running after 0\.2 seconds/],
  ])('the poller deletes nothing for a function %s, and warns', async (_, handler, warning) => {
    const at = await polled(handler, { timeout: 200 })
    await at.send('one')
    await at.send('two')
    at.open()
    await eventually(() => at.warnings.length > 0 && at.seen.length === 2)
    expect(at.warnings[0]).toMatch(warning)
    expect(await at.left()).toBe(2)
  })

  it('a polled function is told how much real time is left', async () => {
    const left: number[] = []
    const at = await polled(async (_event, context) => {
      left.push(context.getRemainingTimeInMillis())
      await new Promise(resolve => setTimeout(resolve, 50))
      left.push(context.getRemainingTimeInMillis())
      return undefined
    })
    at.open()
    await at.send('one')
    await eventually(() => left.length === 2)
    const [before = 0, after = 0] = left
    expect(before).toBeLessThanOrEqual(5_000)
    expect(before - after).toBeGreaterThanOrEqual(49)
  })

  it('a poller that is asked to stop lets the running batch end, deletes it, and takes no more', async () => {
    const gate = Promise.withResolvers<undefined>()
    const at = await polled(() => gate.promise)
    const poller = at.open()
    await at.send('one')
    await eventually(() => at.seen.length === 1)
    const stopped = poller.stop()
    await at.send('two')
    gate.resolve(undefined)
    await stopped
    expect(at.seen).toHaveLength(1)
    expect(await at.left()).toBe(1)
  })
})

describe('a poller whose queue can be paused', () => {
  const message = (id: number): ReceivedMessage => ({
    messageId: `m${id}`,
    receipt: `r${id}`,
    body: '{}',
    system: {},
    attributes: {},
  })

  it('a poller asks once for each batch whether it is paused, and gives back what came in during a pause', async () => {
    let [asked, received] = [0, 0]
    const [handled, putBack]: [string[], string[]] = [[], []]
    const queue = {
      queueState: async () => ({ arn: 'arn:aws:sqs:us-east-1:0:q' }),
      receiveMessages: async (_url: string, { signal }: { readonly signal: AbortSignal }) => {
        if (received < 3) return [message(++received)]
        return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
      deleteMessages: async () => [],
      changeVisibility: async (_url: string, receipt: string) => void putBack.push(receipt),
    } as unknown as Polled['queue']
    const poller = pollQueue({
      queue,
      queueUrl: 'q',
      handler: async ({ Records }) => {
        handled.push(...Records.map(({ messageId }) => messageId))
        return undefined
      },
      timeout: millis(5_000),
      // Not at first; when the second message has come; and not any more.
      paused: async () => ++asked === 3,
      warn: sentence => expect.unreachable(sentence),
    })
    await vi.waitUntil(() => handled.length === 2)
    await poller.stop()
    expect({ handled, putBack, asked }).toEqual({ handled: ['m1', 'm3'], putBack: ['r2'], asked: 5 })
  })
})
