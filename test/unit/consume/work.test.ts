import { createHash } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { batch } from '../../../functions/consume/batch.ts'
import type { Handler } from '../../../functions/consume/handle.ts'
import type { Work } from '../../../functions/consume/outcome.ts'
import { work } from '../../../functions/consume/work.ts'
import { workLine } from '../../../functions/consume/work-line.ts'
import { WORKER_TIMEOUT_LEAST_SECONDS } from '../../../functions/contract/limits.ts'
import type { Message, MessageBody } from '../../../functions/contract/message.ts'
import { type Fingerprint, millis } from '../../../functions/domain/brands.ts'
import { Unprocessable } from '../../../functions/domain/event.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import type { CommitAnswer } from '../../../functions/domain/work.ts'
import type { Consuming } from '../../../functions/domain/world.ts'
import { anyFence, NOON } from '../../support/events.ts'
import { EFFECTS, memoryRig } from '../../support/memory-rig.ts'
import { sealed } from '../../support/sealed.ts'

const DAY = 86_400
const NOON_SECONDS = NOON / 1000
const bytes = Buffer.from('{"n":1}')
const digest = (of: Uint8Array): string => createHash('sha256').update(of).digest('hex')
const inline = (of: Uint8Array): Extract<MessageBody, { data: string }> => ({
  sha256: digest(of),
  size: of.length,
  encoding: 'base64',
  data: Buffer.from(of).toString('base64'),
})
const pointer: MessageBody = { sha256: digest(bytes), size: bytes.length, encoding: 'pointer', at: 'dynamodb' }

const MESSAGE: Message = {
  version: 1,
  id: 'f'.repeat(64),
  source: 'stripe',
  provider: 'stripe',
  eventId: 'evt_1',
  type: null,
  generation: 0,
  edition: 0,
  receivedAt: '2026-11-15T11:59:59.000Z',
  correlationId: 'request-1',
  expiresAt: NOON_SECONDS + 30 * DAY,
  retain: 0,
  bodySigned: true,
  headers: { 'x-kind': 'a' },
  ordering: null,
  body: inline(bytes),
}

/** A consumer on memory, some of whose stores a test replaces. */
const place = (changed: { bodies?: object; keptBodies?: object; work?: object } = {}) => {
  let now = NOON
  const { stores, records } = memoryRig({ now: () => now })
  const { failures, visibility, secrets } = stores
  const bodies = { ...stores.bodies, ...changed.bodies }
  const keptBodies = { ...stores.keptBodies, ...changed.keptBodies }
  const store = { ...stores.work, ...changed.work }
  const world: Consuming = {
    work: store,
    failures,
    bodies,
    keptBodies,
    visibility,
    secrets,
    records: stores.records,
    now: () => now,
    newFence: anyFence,
    random: () => 0,
  }
  const signal = new AbortController()
  return {
    world,
    records,
    signal,
    record: () => records.get(MESSAGE.id as Fingerprint),
    advance: (by: number) => {
      now = millis(now + by)
    },
    run: (handler: Handler, message: Partial<Message> = {}, text = sealed({ ...MESSAGE, ...message })): Promise<Work> =>
      work(
        world,
        handler,
        { text, receiveCount: 1, messageId: 'm-1', sentAt: now, group: null },
        { remaining: millis(5_000), signal: signal.signal, tries: 16 },
      ),
  }
}

const never: Handler = () => {
  throw new Error('the handler was called')
}
const useless: Handler = () => {
  throw new Unprocessable('no use')
}

describe('a message that is not handled', () => {
  it('a message that is not ours is called malformed, with the reason', async () => {
    expect(await place().run(never, {}, 'hello')).toEqual({ work: 'malformed', why: 'not a JSON object' })
  })

  it.each([
    ['its lease has passed', 10_000, false, 'woke up too late'],
    ['its time is up', 0, true, 'the event could not be taken in time'],
  ])('a process that wakes up when %s does not handle the message it took', async (_, slept, aborted, cause) => {
    const at = place()
    const { take } = at.world.work
    Object.assign(at.world.work, {
      take: async (...given: Parameters<typeof take>) => {
        const answer = await take(...given)
        at.advance(slept)
        if (aborted) at.signal.abort()
        return answer
      },
    })
    expect(await at.run(never)).toEqual({ work: 'unavailable', cause })
    expect(at.record()).toMatchObject({ status: 'working', attempts: 0, leaseUntil: NOON })
  })

  it('a message of an event that is done is skipped, with the reason', async () => {
    const at = place()
    await at.run(() => {})
    expect(await at.run(never)).toEqual({ work: 'skipped', why: 'done' })
  })

  it('a message that reaches its expiry to the second fails with its body', async () => {
    const at = place()
    expect(await at.run(never, { expiresAt: NOON_SECONDS })).toMatchObject({ work: 'failed' })
    expect(at.record()).toMatchObject({ status: 'failed', bodyAt: 'dynamodb' })
  })
})

describe('two commits of one handler', () => {
  const write = (key: string) => ({ Put: { TableName: EFFECTS, Item: { key } } })

  it('a commit of other writes after one whose answer was lost is told that the event is done, not that it was written', async () => {
    const at = place()
    const { commit: committed } = at.world.work
    let lost = false
    const commit: typeof committed = async (...given) => {
      const answer = await committed(...given)
      if (lost) return answer
      lost = true
      return { kind: 'unavailable', cause: 'timeout' }
    }
    const told: unknown[] = []
    const handler: Handler = async (_event, tools) => {
      told.push(await tools.commit([write('a')]), await tools.commit([write('b')]))
    }
    const lossy = place({ work: { ...at.world.work, commit } })
    expect(await lossy.run(handler)).toEqual({ work: 'skipped', why: 'done' })
    expect(told).toEqual([
      { kind: 'unavailable', cause: 'timeout' },
      { kind: 'over', status: 'done' },
    ])
  })

  it('of two commits at once, one is written and says what became of the event', async () => {
    const told: string[] = []
    const ended = await place().run(async (_event, { commit }) => {
      const both = await Promise.all([commit([write('a')]), commit([write('b')])])
      told.push(...both.map(({ kind }) => kind))
    })
    expect(told).toEqual(['committed', 'over'])
    expect(ended).toEqual({ work: 'done' })
  })
})

describe('a commit', () => {
  const committing = (answer: CommitAnswer) => place({ work: { commit: async () => answer } })
  const handler: Handler = async (_event, { commit }) => void (await commit([]))

  it('a commit that was refused for anything but a condition leaves the event undone', async () => {
    const at = committing({ kind: 'refused', index: 0, code: 'TransactionConflict' })
    expect(await at.run(handler)).toMatchObject({ work: 'attempt-failed', lastError: 'Commit: TransactionConflict' })
    expect(at.record()).toMatchObject({ status: 'working', lastError: 'Commit: TransactionConflict' })
  })

  it('a commit that was refused by a condition of the handler is the decision of the handler', async () => {
    const at = committing({ kind: 'refused', index: 0, code: 'ConditionalCheckFailed' })
    expect(await at.run(handler)).toEqual({ work: 'done' })
  })

  it('a commit that nobody answered is told as it is', async () => {
    const at = committing({ kind: 'unavailable', cause: 'timeout' })
    expect(await at.run(handler)).toEqual({ work: 'unavailable', cause: 'timeout' })
  })

  it('a commit that nobody answered leaves its reason in the record, and its lease as it was: it may yet be written', async () => {
    const at = committing({ kind: 'unavailable', cause: 'ResourceNotFoundException: invoices' })
    const taken: EventRecord[] = []
    await at.run(async (event, tools) => {
      taken.push(...at.records.values())
      await handler(event, tools)
    })
    expect(at.record()).toEqual({ ...taken[0], lastError: 'Commit: ResourceNotFoundException: invoices' })
  })

  it('a commit counts, whatever the handler throws after it', async () => {
    const at = place()
    const throwing: Handler = async (_event, { commit }) => {
      await commit([])
      throw new Error('too late to complain')
    }
    expect(await at.run(throwing)).toEqual({ work: 'done' })
    expect(at.record()).toMatchObject({ status: 'done', lastError: null })
  })

  it.each([
    [99, 'committed'],
    [100, 'too-many'],
  ])('a commit of %i writes is %s', async (count, kind) => {
    const kinds: string[] = []
    await place().run(async (_event, { commit }) => {
      const write = (_: unknown, key: number) => ({ Put: { TableName: EFFECTS, Item: { key: `${key}` } } })
      kinds.push((await commit(Array.from({ length: count }, write))).kind)
    })
    expect(kinds).toEqual([kind])
  })
})

describe('the newest version', () => {
  it('the newest version is that of one key', async () => {
    const seen: string[] = []
    await place().run(async (_event, { newest }) => {
      seen.push(await newest('order-1', 5), await newest('order-2', 1), await newest('order-1', 4))
    })
    expect(seen).toEqual(['newest', 'newest', 'stale'])
  })

  it('a commit that includes a stale version is refused', async () => {
    const kinds: string[] = []
    await place().run(async (_event, { commit, newest }) => {
      await newest('order-1', 5)
      kinds.push((await commit([newest.write('order-1', 4)])).kind, (await commit([newest.write('order-1', 6)])).kind)
    })
    expect(kinds).toEqual(['refused', 'committed'])
  })

  it('a newest version that could not be noted is an error of the attempt', async () => {
    const at = place({ work: { advance: async () => ({ kind: 'unavailable', cause: 'timeout' }) } })
    const ended = await at.run(async (_event, { newest }) => void (await newest('order-1', 1)))
    expect(ended).toMatchObject({
      work: 'attempt-failed',
      lastError: 'Error: the newest version could not be noted: timeout',
    })
  })
})

describe('the line of a try that threw', () => {
  const endOf = (stack: unknown, error: Error = new Error('no')) =>
    place().run(async () => {
      throw Object.assign(error, { stack })
    })

  it('says in which line of which file', async () => {
    const ended = await place().run(async () => {
      throw new Error('boom')
    })
    expect(ended).toMatchObject({ at: expect.stringMatching(/^\/.*\/test\/unit\/consume\/work\.test\.ts:\d+:\d+$/) })
  })

  it.each([
    ['in AWS', '    at work (file:///var/task/index.js:1:20345)', '/var/task/index.js:1:20345'],
    ['in CommonJS', '    at Runtime.handler (/var/task/index.js:9:1)', '/var/task/index.js:9:1'],
    ['on a laptop', '    at async file:///app/worker.ts?edition=12-3:5:9', '/app/worker.ts:5:9'],
    ['on Windows', '    at new Invoice (C:\\app (1)\\worker.ts:5:9)', undefined],
    ['on Windows, in a plain folder', '    at new Invoice (C:\\app\\worker.ts:5:9)', 'C:\\app\\worker.ts:5:9'],
    [
      'in Node',
      '    at JSON.parse (<anonymous>)\n    at node:internal/x:1:2\n    at work (/app/w.ts:3:4)',
      '/app/w.ts:3:4',
    ],
    ['in a package', '    at send (/app/node_modules/x/i.js:1:2)\n    at work (/app/w.ts:3:4)', '/app/w.ts:3:4'],
    ['only in a package', '    at send (/app/node_modules/x/i.js:1:2)', '/app/node_modules/x/i.js:1:2'],
    ['nowhere', '', undefined],
    ['far behind what somebody else wrote', `${'    at (/a? '.repeat(2_000)}\n    at work (/app/w.ts:3:4)`, undefined],
  ])('and what is thrown $0 has its place', async (_, frames, at) => {
    expect((await endOf(`Error: no\n${frames}`)) as object).toHaveProperty('lastError', 'Error: no')
    expect(((await endOf(`Error: no\n${frames}`)) as { at?: string }).at).toBe(at)
  })

  it('takes nothing for a place that stands in the message', async () => {
    const message = 'cannot read\n    at secret (/of/somebody:1:2)'
    const ended = await endOf(`Error: ${message}\n    at work (/app/w.ts:3:4)`, new Error(message))
    expect(ended).toMatchObject({ at: '/app/w.ts:3:4' })
  })

  it.each([undefined, 7, 'x'])('has no place if the stack is %s', async stack => {
    expect(await endOf(stack)).not.toHaveProperty('at')
  })

  it('has the place after the last try, too', async () => {
    const ended = await place().run(async () => {
      throw new Unprocessable('no')
    })
    expect(ended).toMatchObject({ work: 'failed', at: expect.stringContaining('work.test.ts:') })
  })
})

describe('a try that AWS refused', () => {
  const TABLE = 'Hooklatch-production-ReceiverTablesBodies07370979-1A2B3C4D5E6F7'
  const refused: Handler = async () => {
    throw new Error(
      `the body could not be kept: AccessDenied: no permission for dynamodb:UpdateItem on table/${TABLE} because no`,
    )
  }

  it('its line names the whole resource, and its record has the beginning of it', async () => {
    const at = place()
    const ended = await at.run(refused)
    expect(ended).toMatchObject({
      work: 'attempt-failed',
      lastError: expect.stringContaining(`table/${TABLE} because no`),
    })
    expect(Buffer.byteLength(at.record()?.lastError ?? '')).toBe(120)
  })

  it('its line names the whole resource after the last try, too', async () => {
    const at = place()
    const ended = await at.run(async () => {
      throw new Unprocessable(`no permission for ${'x'.repeat(100)} on table/${TABLE}`)
    })
    expect(ended).toMatchObject({ work: 'failed', lastError: expect.stringContaining(TABLE) })
    expect(Buffer.byteLength(at.record()?.lastError ?? '')).toBe(120)
  })
})

describe('an event that fails for good', () => {
  const keptUntil = async (retain: number): Promise<number[]> => {
    const until: number[] = []
    const keep = async (_body: unknown, _now: unknown, expiresAt: number) => {
      until.push(expiresAt)
      return { kind: 'kept', at: 'dynamodb' }
    }
    const at = place({ bodies: { keep } })
    await at.run(useless, { retain, expiresAt: NOON_SECONDS + DAY })
    return [...until, at.record()?.expiresAt ?? 0].map(seconds => (seconds - NOON_SECONDS) / DAY)
  }

  it('an event that fails for good keeps its body for two weeks, or as long as its source retains bodies, and its record for a day more', async () => {
    expect(await keptUntil(DAY)).toEqual([14, 15])
    expect(await keptUntil(90 * DAY)).toEqual([90, 91])
  })

  it('an event that fails for good keeps the body that was signed, with what forwarding it again needs', async () => {
    const at = place()
    await at.run(useless)
    const { fingerprint, bodySha256 } = at.record() as EventRecord
    expect(await at.world.keptBodies.fetch(fingerprint, bodySha256, 'dynamodb', NOON)).toEqual({
      fingerprint: MESSAGE.id,
      sha256: digest(bytes),
      bytes,
      eventId: 'evt_1',
      headers: { 'x-kind': 'a' },
      ordering: null,
    })
  })

  it('an event has not failed before its body is kept', async () => {
    const at = place({ bodies: { keep: async () => ({ kind: 'unavailable', cause: 'timeout' }) } })
    expect(await at.run(useless)).toEqual({ work: 'unavailable', cause: 'timeout' })
    expect(at.record()?.status).toBe('working')
  })

  it('an event has not failed while the body it points to cannot be asked for', async () => {
    const at = place({ keptBodies: { fetch: () => Promise.reject(new Error('timeout')) } })
    expect(await at.run(useless, { body: pointer })).toEqual({ work: 'unavailable', cause: 'Error: timeout' })
  })

  it.each([
    ['is gone', pointer],
    ['is damaged', { ...inline(bytes), sha256: digest(Buffer.from('another')) }],
    ['cannot be unpacked', { ...inline(bytes), encoding: 'zstd' as const }],
  ])('an event that fails for good says that it has no body when that %s', async (_, body) => {
    const at = place()
    expect(await at.run(useless, { body })).toMatchObject({ work: 'failed' })
    expect(at.record()).toMatchObject({ status: 'failed', bodyAt: null })
  })
})

describe('the event that a handler is given', () => {
  const given = async <Value>(
    message: Partial<Message>,
    ask: (event: Parameters<Handler>[0]) => Value,
  ): Promise<Awaited<Value>> => {
    const answers: Awaited<Value>[] = []
    await place().run(async event => void answers.push(await ask(event)), message)
    return answers[0] as Awaited<Value>
  }

  it.each([
    [3, '3'],
    ['1000000000000000', '1000000000000000'],
    [null, null],
  ])('an event has the headers, and the ordering with the version %j as the text %j', async (version, text) => {
    const ordering = { key: 'order-1', version }
    const seen = await given({ ordering }, event => [event.headers, event.ordering])
    expect(seen).toEqual([{ 'x-kind': 'a' }, { key: 'order-1', version: text }])
    expect(await given({}, event => [event.ordering, event.type])).toEqual([null, null])
  })

  it('the event of a handler opens a compressed body', async () => {
    const data = zstdCompressSync(bytes).toString('base64')
    expect(await given({ body: { ...inline(bytes), encoding: 'zstd', data } }, event => event.json())).toEqual({ n: 1 })
  })

  it.each([
    ['text() of bytes that are no UTF-8', Buffer.from([0xff]), 'text', /utf-8/i],
    ['json() of what is no JSON, without quoting it', Buffer.from('secret'), 'json', /^the body is not JSON$/],
  ] as const)('the event of a handler refuses %s', async (_, body, method, message) => {
    const refused = await given({ body: inline(body) }, event => event[method]().catch((error: Error) => error.message))
    expect(refused).toMatch(message)
  })
})

describe('the record that a message implies', () => {
  it.each([
    ['no type, and no place of a body it carries', {}, { type: null, bodyAt: null }],
    ['its type', { type: 'invoice.paid' }, { type: 'invoice.paid' }],
    ['the place of a body it points to', { body: pointer }, { bodyAt: 'dynamodb' }],
  ])('the record that a message implies has %s', async (_, message, expected) => {
    const at = place()
    await at.run(() => {}, message)
    expect(at.record()).toMatchObject(expected)
  })
})

describe('a batch', () => {
  const item = {
    text: sealed(MESSAGE),
    receiveCount: 1,
    messageId: 'm-1',
    receipt: 'r-1',
    sentAt: NOON,
    group: null,
  }

  it('a batch begins nothing in its last second', async () => {
    const ends: Work[] = []
    const answer = await batch(
      place().world,
      never,
      [item],
      { remaining: () => 1_000 },
      (_item, ended) => void ends.push(ended),
    )
    expect(answer).toEqual({ failed: ['m-1'] })
    expect(ends).toEqual([{ work: 'unavailable', cause: 'woke up too late' }])
  })

  it.each([60_000, WORKER_TIMEOUT_LEAST_SECONDS * 1_000])(
    'a batch leaves a handler the time it has of %d ms',
    async left => {
      const ends: Work[] = []
      const slow: Handler = () => new Promise(resolve => setTimeout(resolve, 20))
      await batch(place().world, slow, [item], { remaining: () => left }, (_item, ended) => void ends.push(ended))
      expect(ends).toEqual([{ work: 'done' }])
    },
  )

  it('a batch answers in time for a message that has not even reported, and hides it before that', async () => {
    const at = place({ work: { report: () => new Promise(() => {}) } })
    const hidden: string[] = []
    const { hide } = at.world.visibility
    const noting: typeof hide = async (...given) => {
      const answer = await hide(...given)
      hidden.push(answer.kind)
      return answer
    }
    Object.assign(at.world, { visibility: { hide: noting } })
    const hangs: Handler = () => new Promise(() => {})
    const startedAt = Date.now()
    const clock = { remaining: () => 1_300 - (Date.now() - startedAt) }
    const ends: Work[] = []
    expect(await batch(at.world, hangs, [item], clock, (_item, ended) => void ends.push(ended))).toEqual({
      failed: ['m-1'],
    })
    expect(ends).toEqual([{ work: 'unavailable', cause: 'no answer in time' }])
    expect(hidden).toEqual(['gone'])
  })

  it('a batch brings back a message whose store threw an unexpected error', async () => {
    const at = place({ work: { take: () => Promise.reject(new Error('what?')) } })
    const ends: Work[] = []
    await batch(at.world, never, [item], { remaining: () => 5_000 }, (_item, ended) => void ends.push(ended))
    expect(ends).toEqual([{ work: 'unavailable', cause: 'Error: what?' }])
  })
})

describe('the line of a message', () => {
  const lineOf = (text: string, ended: Work, receiveCount = 2) =>
    JSON.parse(
      workLine({
        environment: 'e',
        text,
        messageId: 'm-1',
        receiveCount,
        sentAt: 900,
        ended,
        startedAt: 1_000,
        finishedAt: 1_250,
      }),
    )

  it('the line of a message says how long it waited and took and what it was about', () => {
    const line = lineOf(JSON.stringify({ ...MESSAGE, generation: 1 }), { work: 'skipped', why: 'superseded' })
    expect(line).toMatchObject({
      work: 'skipped',
      waited: 100,
      milliseconds: 250,
      eventId: 'evt_1',
      generation: 1,
      correlationId: MESSAGE.correlationId,
      messageId: 'm-1',
      receiveCount: 2,
    })
  })

  it('the line of an event that is done at its first receive says nothing twice and nothing that is always so', () => {
    const line = lineOf(JSON.stringify(MESSAGE), { work: 'done' }, 1)
    expect(Object.keys(line).join()).toBe('_aws,Source,Done,work,id,eventId,type,correlationId,waited,milliseconds')
  })

  it('the line of a message says nothing of what it could not read', () => {
    const line = lineOf('hello', { work: 'malformed', why: 'not a JSON object' })
    expect(line).toMatchObject({ work: 'malformed', why: 'not a JSON object', messageId: 'm-1' })
    expect(line).not.toHaveProperty('eventId')
  })
})
