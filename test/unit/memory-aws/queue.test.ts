import { describe, expect, it } from 'vitest'
import { DEAD_LETTERS, QUEUE } from '../../../functions/contract/queues.ts'
import { HOOKLATCH_RESOURCES, MEMORY_NAMES } from '../../../lib/memory-aws/hooklatch-resources.ts'
import { memoryAws } from '../../../lib/memory-aws/memory-aws.ts'

const { queueUrl, orderedQueueUrl, deadLettersUrl, orderedDeadLettersUrl } = MEMORY_NAMES

const world = () => {
  const clock = { now: 1_000 }
  const engine = memoryAws({ ...HOOKLATCH_RESOURCES, now: () => clock.now })
  const send = (body: string, group?: string, deduplication = body) =>
    engine.queue.sendMessage({
      QueueUrl: group === undefined ? queueUrl : orderedQueueUrl,
      MessageBody: body,
      MessageAttributes: {},
      ...(group !== undefined && { MessageGroupId: group, MessageDeduplicationId: deduplication }),
    })
  const bodies = (url: string) => engine.queue.receiveMessages(url).map(({ body }) => body)
  /** Received and shown again until it is given up. */
  const wearOut = (url: string) => {
    for (let receives = 0; receives <= QUEUE.maxReceiveCount; receives++) {
      for (const { receipt } of engine.queue.receiveMessages(url)) engine.queue.changeVisibility(url, receipt, 0)
    }
  }
  return { clock, engine, send, bodies, wearOut }
}

describe('retention', () => {
  it('a message vanishes when the retention of its queue has passed, whether it is hidden or not', () => {
    const { clock, engine, send } = world()
    send('text')
    clock.now += QUEUE.retentionSeconds * 1000 - 1
    expect(engine.queue.receiveMessages(queueUrl)).toHaveLength(1)
    clock.now += 1
    expect(engine.queue.queueState(queueUrl).messages).toBe(0)
  })

  it('a dead letter of a standard queue is as old as its first enqueue', () => {
    const { clock, engine, send, wearOut } = world()
    send('text')
    clock.now += QUEUE.retentionSeconds * 1000 - 1
    wearOut(queueUrl)
    expect(engine.messages(deadLettersUrl)).toMatchObject([{ body: 'text', sentAt: 1_000 }])
    clock.now = 1_000 + DEAD_LETTERS.retentionSeconds * 1000 - 1
    expect(engine.queue.queueState(deadLettersUrl).messages).toBe(1)
    clock.now += 1
    expect(engine.queue.queueState(deadLettersUrl).messages).toBe(0)
  })

  it('a dead letter of a FIFO queue starts its age anew', () => {
    const { clock, engine, send, wearOut } = world()
    send('text', 'group')
    clock.now += 5_000
    wearOut(orderedQueueUrl)
    expect(engine.messages(orderedDeadLettersUrl)).toMatchObject([{ body: 'text', sentAt: 6_000 }])
  })
})

describe('redrive', () => {
  it('a message is handed out as often as the queue allows and then moves to the dead letters with its source', () => {
    const { engine, send, wearOut } = world()
    send('text')
    wearOut(queueUrl)
    expect(engine.queue.queueState(queueUrl).messages).toBe(0)
    const [letter] = engine.queue.receiveMessages(deadLettersUrl)
    expect(letter).toMatchObject({
      body: 'text',
      system: { DeadLetterQueueSourceArn: engine.queue.queueState(queueUrl).arn },
    })
  })
})

describe('a FIFO queue', () => {
  it('several messages of a group are handed out in order, and the group waits while one is in flight', () => {
    const { engine, send, bodies } = world()
    for (const body of ['1', '2']) send(body, 'a')
    expect(bodies(orderedQueueUrl)).toEqual(['1', '2'])
    send('3', 'a')
    send('4', 'b')
    expect(bodies(orderedQueueUrl)).toEqual(['4'])
    for (const { receipt } of engine.messages(orderedQueueUrl)) {
      engine.queue.changeVisibility(orderedQueueUrl, receipt ?? '', 0)
    }
    expect(bodies(orderedQueueUrl)).toEqual(['1', '2', '3', '4'])
  })

  it('a message with the same deduplication id is dropped for five minutes and taken after them', () => {
    const { clock, engine, send } = world()
    expect(send('first', 'a', 'same')).toEqual({ kind: 'sent' })
    clock.now += 299_999
    expect(send('second', 'a', 'same')).toEqual({ kind: 'sent' })
    expect(engine.messages(orderedQueueUrl).map(({ body }) => body)).toEqual(['first'])
    clock.now += 1
    send('third', 'a', 'same')
    expect(engine.messages(orderedQueueUrl).map(({ body }) => body)).toEqual(['first', 'third'])
  })
})

describe('limits of a message', () => {
  it('a message of 1 MiB is taken and one of a byte more is refused', () => {
    const { send } = world()
    const text = 'x'.repeat(1024 * 1024)
    expect(send(text)).toEqual({ kind: 'sent' })
    expect(send(`${text}x`)).toMatchObject({ kind: 'refused', error: { name: 'InvalidParameterValue' } })
  })

  it('a batch of more than ten messages, or of more than 1 MiB together, is refused whole', () => {
    const { engine } = world()
    const entry = { MessageBody: 'x'.repeat(600_000), MessageAttributes: {} }
    expect(engine.queue.sendMessageBatch(queueUrl, [entry, entry])).toMatchObject({
      kind: 'refused',
      error: { name: 'BatchRequestTooLong' },
    })
    const many = Array.from({ length: 11 }, () => ({ ...entry, MessageBody: 'x' }))
    expect(engine.queue.sendMessageBatch(queueUrl, many)).toMatchObject({
      kind: 'refused',
      error: { name: 'TooManyEntriesInBatchRequest' },
    })
    expect(engine.queue.queueState(queueUrl).messages).toBe(0)
  })
})

describe('a receiver of an empty queue', () => {
  it('a receiver of an empty queue waits as it is told to, until a message comes or its time is over', async () => {
    const clock = { now: 0 }
    const pauses: number[] = []
    const engine = memoryAws({
      ...HOOKLATCH_RESOURCES,
      now: () => clock.now,
      wait: async millis => {
        pauses.push(millis)
        clock.now += millis
        if (clock.now === 100) {
          engine.queue.sendMessage({ QueueUrl: queueUrl, MessageBody: 'text', MessageAttributes: {} })
        }
      },
    })
    expect(await engine.aws.queue.receiveMessages(queueUrl, { waitSeconds: 1 })).toMatchObject([{ body: 'text' }])
    expect(pauses).toEqual([50, 50])
    expect(await engine.aws.queue.receiveMessages(queueUrl, { waitSeconds: 1 })).toEqual([])
    expect(clock.now).toBe(1_100)
  })

  it('a receiver of an empty queue answers at once if nobody told it how to wait', async () => {
    const { engine } = world()
    expect(await engine.aws.queue.receiveMessages(queueUrl, { waitSeconds: 20 })).toEqual([])
  })
})
