import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { inspect, isDeepStrictEqual } from 'node:util'
import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { CreateQueueCommand, GetQueueAttributesCommand } from '@aws-sdk/client-sqs'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { awsClients } from '../../functions/adapters/sdk/clients.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { ReceivedMessage } from '../../functions/adapters/wire/queue-calls.ts'
import { type QueueAndObjectEngine, startFauxqs } from '../../lib/local/engines/start-fauxqs.ts'
import { type MemoryAws, memoryAws } from '../../lib/memory-aws/memory-aws.ts'
import type { StoredMessage } from '../../lib/memory-aws/message-store.ts'
import { type QueueUnderTest, queueDriver } from './memory-aws/drive-queue.ts'
import { anyQueueOperations, type QueueOperation } from './memory-aws/random-messages.ts'
import { callsOf, LOCAL } from './memory-aws/real-engines.ts'

const SEQUENCES = Number(process.env.MEMORY_AWS_SEQUENCES ?? 300)
const SEED = Number(process.env.MEMORY_AWS_SEED ?? 14)
const MAX_RECEIVES = 2

let engine: QueueAndObjectEngine
let real: AwsCalls
beforeAll(async () => {
  engine = await startFauxqs()
  real = callsOf(engine.endpoint)
})
afterAll(() => engine.stop())

/** A queue and its dead letters on fauxqs. */
const realQueue = async (suffix: string, visibilitySeconds: number): Promise<QueueUnderTest> => {
  const { sqs } = awsClients({ ...LOCAL, endpoint: engine.endpoint })
  const create = async (Attributes: Record<string, string>): Promise<string> => {
    const QueueName = `queue-${randomUUID()}${suffix}`
    const fifo = suffix === '' ? {} : { FifoQueue: 'true' }
    const visibility = { VisibilityTimeout: String(visibilitySeconds) }
    await sqs.send(new CreateQueueCommand({ QueueName, Attributes: { ...Attributes, ...fifo, ...visibility } }))
    return `${engine.endpoint}/000000000000/${QueueName}`
  }
  const deadLetters = await create({})
  const { Attributes } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: deadLetters, AttributeNames: ['QueueArn'] }),
  )
  const policy = { deadLetterTargetArn: Attributes?.QueueArn, maxReceiveCount: MAX_RECEIVES }
  const queue = await create({ RedrivePolicy: JSON.stringify(policy) })
  return {
    queue,
    deadLetters,
    calls: real.queue,
    receive: url => real.queue.receiveMessages(url, { waitSeconds: 0 }),
  }
}

interface MemoryQueue extends QueueUnderTest {
  readonly messages: MemoryAws['messages']
}

const memoryQueue = (suffix: string, visibilitySeconds: number, now: () => number): MemoryQueue => {
  const [queue, deadLetters] = [`memory://queue${suffix}`, `memory://dead-letters${suffix}`]
  const both = { visibilitySeconds, retentionSeconds: 86_400 }
  const queues = {
    [queue]: { ...both, deadLetters: { url: deadLetters, maxReceiveCount: MAX_RECEIVES } },
    [deadLetters]: both,
  }
  const memory = memoryAws({ queues, now })
  const receive = async (url: string): Promise<readonly ReceivedMessage[]> =>
    memory.queue.receiveMessages(url, suffix === '' ? undefined : firstOfEachGroup)
  return { messages: memory.messages, queue, deadLetters, calls: memory.aws.queue, receive }
}

/** fauxqs hands out one message of a group at a time. AWS hands out several in order, and so does the memory AWS by itself. */
const firstOfEachGroup = (receivable: readonly StoredMessage[]): StoredMessage[] => [
  ...new Map(receivable.toReversed().map(message => [message.group, message])).values(),
]

/** fauxqs forgets a receipt once its message is visible again; what AWS does with it is tested below. */
const isOnlyOfAws = (operation: QueueOperation, { messages, queue, deadLetters }: MemoryQueue): boolean =>
  operation.kind === 'delete' &&
  [queue, deadLetters].some(url => messages(url).some(({ receipt, visibleAt }) => receipt && visibleAt <= 0))

describe.each([
  ['standard', ''],
  ['FIFO', '.fifo'],
])('a %s queue', (kind, suffix) => {
  const answerAlike = async (operations: readonly QueueOperation[]): Promise<void> => {
    const memory = memoryQueue(suffix, 600, () => 0)
    const [inMemory, onEngine] = [queueDriver(memory), queueDriver(await realQueue(suffix, 600))]
    for (const operation of operations) {
      if (isOnlyOfAws(operation, memory)) continue
      const [mine, theirs] = [await inMemory(operation), await onEngine(operation)]
      const show = (value: unknown) => inspect(value, { depth: 8, breakLength: 120 })
      if (!isDeepStrictEqual(mine, theirs)) {
        throw new Error(`${show(operation)}\nin memory: ${show(mine)}\nfauxqs: ${show(theirs)}`)
      }
    }
  }

  it(`fauxqs and the memory AWS answer ${SEQUENCES} random sequences of calls to a ${kind} queue alike`, async () => {
    await fc.assert(fc.asyncProperty(anyQueueOperations, answerAlike), { numRuns: SEQUENCES, seed: SEED })
  }, 600_000)

  it(`a ${kind} queue shows a message again when its visibility timeout has passed, on fauxqs and in memory`, async () => {
    const queues = [memoryQueue(suffix, 1, Date.now), await realQueue(suffix, 1)].map(queueDriver)
    const send: QueueOperation = {
      kind: 'send',
      messages: [{ text: 'text', group: 'one', deduplication: 1, attributes: {} }],
    }
    const receive: QueueOperation = { kind: 'receive', from: 'queue' }
    const counts: unknown[] = []
    for (const drive of queues) await drive(send)
    for (const pause of [0, 0, 1_100]) {
      await setTimeout(pause)
      for (const drive of queues)
        counts.push(((await drive(receive)) as { receives: string }[]).map(each => each.receives))
    }
    expect(counts).toEqual([['1'], ['1'], [], [], ['2'], ['2']])
  })
})

describe('what fauxqs does unlike AWS', () => {
  const received = async ({ calls, queue, receive }: QueueUnderTest): Promise<string> => {
    await calls.sendMessage({
      QueueUrl: queue,
      MessageBody: 'text',
      MessageAttributes: {},
      ...(queue.endsWith('.fifo') && { MessageGroupId: 'one', MessageDeduplicationId: 'one' }),
    })
    const [message] = await receive(queue)
    await calls.changeVisibility(queue, message?.receipt ?? '', 0)
    return message?.receipt ?? ''
  }
  const deleted = async (under: QueueUnderTest): Promise<unknown> => {
    const failed = await under.calls.deleteMessages(under.queue, [await received(under)])
    return { failed, left: (await under.calls.queueState(under.queue)).messages }
  }

  it('the last receipt of a message that is visible again deletes it on a standard queue, and fails on a FIFO queue', async () => {
    expect(await deleted(memoryQueue('', 600, () => 0))).toEqual({ failed: [], left: 0 })
    expect(await deleted(memoryQueue('.fifo', 600, () => 0))).toEqual({ failed: [0], left: 1 })
  })

  it('a batch with an empty message is refused by AWS and taken by fauxqs', async () => {
    const entry = { MessageBody: '', MessageAttributes: {} }
    const [mine, theirs] = [memoryQueue('', 600, () => 0), await realQueue('', 600)]
    expect(await mine.calls.sendMessageBatch(mine.queue, [entry])).toMatchObject({ kind: 'refused' })
    expect(await theirs.calls.sendMessageBatch(theirs.queue, [entry])).toMatchObject({
      kind: 'sent',
      failed: new Map(),
    })
  })

  it('a message with a character beyond U+FFFF is taken by AWS and refused by fauxqs', async () => {
    const [mine, theirs] = [memoryQueue('', 600, () => 0), await realQueue('', 600)]
    const message = { MessageBody: '😀', MessageAttributes: {} }
    expect(await mine.calls.sendMessage({ ...message, QueueUrl: mine.queue })).toEqual({ kind: 'sent' })
    expect(await theirs.calls.sendMessage({ ...message, QueueUrl: theirs.queue })).toMatchObject({ kind: 'refused' })
  })

  it('fauxqs has no Secrets Manager, so the memory AWS shows its versions by itself', async () => {
    await expect(real.secrets.getSecret('signing')).rejects.toThrow()
  })

  it('fauxqs forgets the receipt of a message that is visible again', async () => {
    expect(await deleted(await realQueue('', 600))).toEqual({ failed: [], left: 1 })
    expect(await deleted(await realQueue('.fifo', 600))).toEqual({ failed: [], left: 1 })
  })
})

describe('objects', () => {
  const first = { bytes: new Uint8Array(Buffer.from('first')), metadata: { Kind: 'a' } }
  const second = { bytes: new Uint8Array(Buffer.from('second')), metadata: { Kind: 'b' } }
  const inMemory = (): AwsCalls['objects'] => memoryAws({ buckets: ['bodies'], now: () => 0 }).aws.objects

  beforeAll(async () => {
    await awsClients({ ...LOCAL, endpoint: engine.endpoint }).s3.send(new CreateBucketCommand({ Bucket: 'bodies' }))
  })

  it('fauxqs and the memory AWS answer a first put, gets and a bucket that does not exist alike', async () => {
    const answers = async (objects: AwsCalls['objects']): Promise<unknown[]> => [
      await objects.get('bodies', 'first'),
      await objects.putNew('bodies', 'first', first),
      await objects.get('bodies', 'first'),
      await objects.putNew('nowhere', 'first', first).catch(error => error.name),
      await objects.get('nowhere', 'first').catch(error => error.name),
    ]
    const mine = await answers(inMemory())
    expect(mine).toEqual([undefined, 'written', { ...first, metadata: { kind: 'a' } }, 'NoSuchBucket', 'NoSuchBucket'])
    expect(await answers(real.objects)).toEqual(mine)
  })

  it('a second put of an object changes nothing in memory as on S3, and replaces it on fauxqs, which knows no condition', async () => {
    const twice = async (objects: AwsCalls['objects']): Promise<unknown[]> => [
      await objects.putNew('bodies', 'second', first),
      await objects.putNew('bodies', 'second', second),
      (await objects.get('bodies', 'second'))?.bytes,
    ]
    expect(await twice(inMemory())).toEqual(['written', 'exists', first.bytes])
    expect(await twice(real.objects)).toEqual(['written', 'written', second.bytes])
  })
})
