import { describe, expect, it } from 'vitest'
import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { sqsVisibility } from '../../functions/adapters/sqs-visibility.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { ReceivedMessage } from '../../functions/adapters/wire/queue-calls.ts'
import { buryBatch } from '../../functions/bury/bury-batch.ts'
import { consume } from '../../functions/consume/consume.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import type { MessageVisibility } from '../../functions/domain/ports.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { sqsEvent } from '../../lib/local/sqs-event.ts'
import { RIG_NAMES } from '../support/memory-rig.ts'
import { type WholeRig, wholeRig } from '../support/whole-rig.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

type Service = 'dynamo' | 'queue'

/** Receiver, queue, worker and burial in simulated time, with services that can be away. */
const running = (handler: Handler, { sources, tries }: { sources?: Sources; tries?: number } = {}) => {
  const at: WholeRig = wholeRig(sources && { sources })
  const away = new Set<Service>()
  const failing = <Calls extends object>(service: Service, calls: Calls): Calls =>
    new Proxy(calls, {
      get: (target, name) =>
        away.has(service)
          ? async () => {
              throw Object.assign(new Error(`${service} is away`), { name: 'TimeoutError' })
            }
          : Reflect.get(target, name),
    })
  const { aws: inner } = at.memory
  const aws: AwsCalls = {
    ...inner,
    dynamo: failing('dynamo', inner.dynamo),
    queue: failing('queue', inner.queue),
  }
  const world = { ...at.world, ...storesOver(aws, RIG_NAMES, EVERY_STORE, at.world.now) }
  const lambda = consume(handler, { world, environment: 'test', write: () => {}, ...(tries && { tries }) })
  const context = { getRemainingTimeInMillis: () => 5_000 }

  const poll = async (url: string, call: (messages: readonly ReceivedMessage[]) => Promise<Set<string>>) => {
    const messages = await aws.queue.receiveMessages(url, { waitSeconds: 0 }).catch(() => [])
    if (messages.length === 0) return
    const failed = await call(messages)
    const over = messages.filter(({ messageId }) => !failed.has(messageId)).map(({ receipt }) => receipt)
    if (over.length > 0) await aws.queue.deleteMessages(url, over).catch(() => [])
  }
  const idsOf = (answer: { batchItemFailures: readonly { itemIdentifier: string }[] }) =>
    new Set(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))

  return {
    ...at,
    away,
    world,
    /** Lets time pass, a step at a time, with everything that runs in it. */
    run: async (time: number, step = 30 * SECOND): Promise<void> => {
      for (let passed = 0; passed < time; passed += step) {
        at.advance(step)
        for (const url of [RIG_NAMES.queueUrl, RIG_NAMES.orderedQueueUrl]) {
          await poll(url, async messages => idsOf(await lambda(sqsEvent(messages, 'arn'), context)))
        }
        await poll(RIG_NAMES.deadLettersUrl, async messages =>
          idsOf(await buryBatch(world, sqsEvent(messages, 'arn'), 'test', () => {}, tries)),
        )
      }
    },
    record: () => {
      const [record] = at.records.values()
      if (!record) throw new Error('there is no record')
      return record
    },
    waiting: () => at.memory.engine.messages(RIG_NAMES.queueUrl).length,
  }
}

const counting = () => {
  const calls: number[] = []
  const handler: Handler = () => void calls.push(1)
  return { calls, handler }
}

const fails: Handler = () => {
  throw new Error('no')
}

describe('an outage of a day', () => {
  it('of DynamoDB makes nothing failed, calls no handler and loses nothing', async () => {
    const { calls, handler } = counting()
    const at = running(handler)
    for (let index = 0; index < 20; index++) await at.stripe({ id: `evt_${index}` })
    at.away.add('dynamo')
    await at.run(DAY, MINUTE)
    expect(calls).toEqual([])
    expect(at.waiting()).toBe(20)
    at.away.clear()
    await at.run(HOUR)
    expect([...at.records.values()].map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
      Array.from({ length: 20 }, () => 'done 1'),
    )
  })

  it('of DynamoDB that begins while an event is handled uses up the one try that was made', async () => {
    const at = running(() => void at.away.add('dynamo'))
    await at.stripe({ id: 'evt_1' })
    await at.run(DAY, MINUTE)
    at.away.clear()
    expect(at.record()).toMatchObject({ status: 'working', attempts: 1 })
  })

  it('of DynamoDB that still writes, and never answers, uses up no try', async () => {
    const { calls, handler } = counting()
    const at = running(handler)
    await at.stripe({ id: 'evt_1' })
    const { updateItem } = at.memory.engine.aws.dynamo
    const silent = {
      ...at.memory.aws.dynamo,
      updateItem: async (call: Parameters<typeof updateItem>[0]) => {
        await updateItem(call)
        throw new Error('no answer')
      },
    }
    const world = {
      ...at.world,
      ...storesOver({ ...at.memory.aws, dynamo: silent }, RIG_NAMES, EVERY_STORE, at.world.now),
    }
    for (let times = 0; times < 30; times++) {
      expect(await at.deliver(handler, at.texts(), { world })).toEqual(['m-0'])
      at.advance(MINUTE)
    }
    expect(calls).toEqual([])
    expect(at.record()).toMatchObject({ status: 'working', attempts: 0 })
  })

  it('of SQS makes nothing failed and loses nothing', async () => {
    const { calls, handler } = counting()
    const at = running(handler)
    await at.stripe({ id: 'evt_1' })
    at.away.add('queue')
    await at.run(DAY, MINUTE)
    expect(calls).toEqual([])
    at.away.clear()
    await at.run(MINUTE)
    expect(at.record()).toMatchObject({ status: 'done', attempts: 1 })
  })

  it.each([0, 0.999])('of what a handler calls makes nothing failed, whatever chance says (%d)', async random => {
    let open = false
    const at = running(() => {
      if (!open) throw new Error('the bank is closed')
    })
    Object.assign(at.world, { random: () => random })
    await at.stripe({ id: 'evt_1' })
    await at.run(DAY, MINUTE)
    expect(at.record()).toMatchObject({ status: 'working', lastError: 'Error: the bank is closed' })
    open = true
    await at.run(6 * HOUR, MINUTE)
    expect(at.record()).toMatchObject({ status: 'done' })
  })
})

describe('an event that its handler never finishes', () => {
  it('fails after sixteen tries and 28 hours, its body is kept and its message is gone', async () => {
    const tried: number[] = []
    const at = running(() => {
      tried.push(at.world.now())
      throw new Error('no')
    })
    await at.stripe({ id: 'evt_1' })
    await at.run(30 * HOUR)
    expect(at.record()).toMatchObject({ status: 'failed', attempts: 16, lastError: 'Error: no', bodyAt: 'dynamodb' })
    expect(tried).toHaveLength(16)
    const waits = tried.slice(1).map((time, index) => (time - (tried[index] ?? 0)) / SECOND)
    expect(waits.slice(0, 9)).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_840, 7_680])
    expect(waits.slice(9)).toEqual(Array.from({ length: 6 }, () => 14_400))
    expect(at.waiting()).toBe(0)
  })

  it('fails after eight tries from a FIFO queue, where its group waits for it: within an hour', async () => {
    const ordered = { stripe: { provider: 'stripe', ordering: { key: 'customer' } } }
    const at = running(fails, { sources: ordered })
    await at.stripe({ id: 'evt_1', customer: 'c' })
    await at.run(HOUR)
    expect(at.record()).toMatchObject({ status: 'failed', attempts: 8 })
  })

  it('fails after as many tries as its user wants', async () => {
    const at = running(fails, { tries: 1 })
    await at.stripe({ id: 'evt_1' })
    await at.run(MINUTE)
    expect(at.record()).toMatchObject({ status: 'failed', attempts: 1, lastError: 'Error: no' })
  })

  it('because it hangs has used one try each time, and fails after the last one', async () => {
    let calls = 0
    const at = wholeRig()
    await at.stripe({ id: 'evt_1' })
    const hangs: Handler = () => {
      calls++
      return new Promise(() => {})
    }
    for (const attempts of [1, 2]) {
      expect(await at.deliver(hangs, at.texts(), { remaining: 1_010, tries: 2 })).toEqual(['m-0'])
      expect([...at.records.values()]).toMatchObject([{ status: 'working', attempts }])
      at.advance(MINUTE)
    }
    expect(await at.deliver(hangs, at.texts(), { tries: 2 })).toEqual([])
    expect(calls).toBe(2)
    expect([...at.records.values()]).toMatchObject([
      { status: 'failed', attempts: 2, lastError: 'Deadline: the handler was still running', bodyAt: 'dynamodb' },
    ])
  })

  it('because it takes its process down has used one try each time, and fails after the last one', async () => {
    const at = wholeRig()
    await at.stripe({ id: 'evt_1' })
    const [record] = at.records.values()
    if (!record) throw new Error('there is no record')
    // What a process leaves behind that died in its last try.
    at.records.set({ ...record, status: 'working', attempts: 16, leaseUntil: at.world.now() })
    expect(await at.deliver(fails, at.texts())).toEqual([])
    expect([...at.records.values()]).toMatchObject([
      { status: 'failed', attempts: 16, lastError: 'Crashed: none of 16 tries came back', bodyAt: 'dynamodb' },
    ])
  })
})

describe('a message that cannot go on', () => {
  it('and is malformed comes back four times, and is then kept and listed as failed', async () => {
    const at = wholeRig()
    for (const receiveCount of [1, 2, 3, 4]) {
      expect(await at.deliver(fails, ['hello'], { receiveCount })).toEqual(['m-0'])
    }
    expect(at.records.size).toBe(0)
    expect(await at.deliver(fails, ['hello'], { receiveCount: 5 })).toEqual([])
    expect([...at.records.values()]).toMatchObject([
      { status: 'failed', source: '(malformed)', attempts: 0, lastError: 'Malformed: not a JSON object' },
    ])
  })

  it('and is twelve days old fails with its body, without another try', async () => {
    const at = wholeRig()
    await at.stripe({ id: 'evt_1' })
    const sentAt = at.world.now()
    at.advance(12 * DAY - 1)
    expect(await at.deliver(fails, at.texts(), { sentAt })).toEqual(['m-0'])
    at.advance(MINUTE)
    expect(await at.deliver(fails, at.texts(), { sentAt })).toEqual([])
    expect([...at.records.values()]).toMatchObject([
      { status: 'failed', attempts: 1, lastError: expect.stringContaining('Undelivered'), bodyAt: 'dynamodb' },
    ])
  })

  it('and whose event another consumer holds comes back when that lease has passed', async () => {
    const at = wholeRig()
    await at.stripe({ id: 'evt_1' })
    const [record] = at.records.values()
    if (!record) throw new Error('there is no record')
    at.records.set({ ...record, status: 'working', leaseUntil: (at.world.now() + 95_500) as typeof record.leaseUntil })
    const hidden: number[] = []
    const visibility: MessageVisibility = {
      hide: async (_message, time) => {
        hidden.push(time)
        return { kind: 'hidden' }
      },
    }
    await at.deliver(fails, at.texts(), { world: { ...at.consumer, visibility } })
    expect(hidden).toEqual([96])
  })
})

describe('the visibility of a message', () => {
  it('is changed in the queue that it came from, and a message that is gone is told so', async () => {
    const at = wholeRig()
    await at.stripe({ id: 'evt_1' })
    const { engine, aws } = at.memory
    const [message] = engine.queue.receiveMessages(RIG_NAMES.queueUrl)
    const visibility = sqsVisibility(aws, RIG_NAMES)
    const held = { receipt: message?.receipt ?? '', group: null }
    expect(await visibility.hide(held, 600 as never)).toEqual({ kind: 'hidden' })
    expect(engine.messages(RIG_NAMES.queueUrl)).toMatchObject([{ visibleAt: at.world.now() + 600_000 }])
    expect(await visibility.hide({ ...held, group: 'g' }, 600 as never)).toEqual({ kind: 'gone' })
  })
})
