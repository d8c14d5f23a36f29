import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Handler } from '../../functions/consume/handle.ts'
import { millis } from '../../functions/domain/brands.ts'
import { ignore, Unprocessable, type WebhookEvent } from '../../functions/domain/event.ts'
import { seal } from '../../functions/domain/seal.ts'
import type { WorkStore } from '../../functions/domain/work.ts'
import { replay } from '../../functions/operate/replay.ts'
import { anyFence } from '../support/events.ts'
import { EFFECTS } from '../support/memory-rig.ts'
import { RIG_KEY } from '../support/sealed.ts'
import { type WholeRig, wholeRig } from '../support/whole-rig.ts'

const event = (id = 'evt_1', more: object = {}) => ({ id, type: 'invoice.paid', ...more })

/** One accepted event on the queue. */
const queued = async (
  more: object = {},
): Promise<WholeRig & { text: string; record: () => Record<string, unknown> }> => {
  const at = wholeRig()
  await at.stripe(event('evt_1', more))
  const [text = ''] = at.texts()
  return { ...at, text, record: () => ({ ...[...at.records.values()][0] }) }
}

const changed = (text: string, change: object): string => {
  const { mac: _, ...message } = JSON.parse(text)
  return seal(RIG_KEY, JSON.stringify({ ...message, ...change }))
}

describe('a message', () => {
  it('a message is handled with everything its event is, and done', async () => {
    const at = await queued({ note: 'caf\u00e9' })
    const seen: WebhookEvent[] = []
    const bodies: unknown[] = []
    const failed = await at.deliver(
      async given => {
        seen.push(given)
        bodies.push(await given.json(), Buffer.from(await given.bytes()).toString())
      },
      [at.text],
    )
    expect(failed).toEqual([])
    expect(seen).toMatchObject([
      {
        source: 'stripe',
        provider: 'stripe',
        eventId: 'evt_1',
        type: 'invoice.paid',
        generation: 0,
        receivedAt: '2026-11-15T12:00:00.000Z',
        idempotencyKey: expect.stringMatching(/^[0-9a-f]{56}-0$/),
      },
    ])
    expect(bodies).toEqual([
      event('evt_1', { note: 'caf\u00e9' }),
      JSON.stringify(event('evt_1', { note: 'caf\u00e9' })),
    ])
    expect(at.record()).toMatchObject({ status: 'done', attempts: 1, lastError: null })
  })

  it('a message delivered twice, one after the other, has one effect', async () => {
    const at = await queued()
    let effects = 0
    const handler: Handler = () => void effects++
    expect(await at.deliver(handler, [at.text])).toEqual([])
    expect(await at.deliver(handler, [at.text], { receiveCount: 2 })).toEqual([])
    expect(effects).toBe(1)
  })

  it('a message delivered twice at the same instant has one effect, and the other one comes back', async () => {
    const at = await queued()
    let effects = 0
    const handler: Handler = async () => {
      effects++
      await new Promise(setImmediate)
    }
    const failed = await Promise.all([at.deliver(handler, [at.text]), at.deliver(handler, [at.text])])
    expect(effects).toBe(1)
    expect(failed.flat()).toEqual(['m-0'])
    expect(at.record()).toMatchObject({ status: 'done' })
  })

  it('a message whose event is done is skipped and deleted', async () => {
    const at = await queued()
    await at.deliver(() => {}, [at.text])
    const calls: unknown[] = []
    expect(await at.deliver(given => void calls.push(given), [at.text])).toEqual([])
    expect(calls).toEqual([])
  })

  it('a message whose record is still claimed, because settling failed, is worked on all the same', async () => {
    const at = await queued()
    for (const record of at.records.values()) at.records.set({ ...record, status: 'claimed' })
    expect(await at.deliver(() => {}, [at.text])).toEqual([])
    expect(at.record()).toMatchObject({ status: 'done' })
  })

  it('a message whose record is gone is worked on, and its record is recreated from it', async () => {
    const at = await queued()
    for (const { fingerprint } of at.records.values()) at.records.delete(fingerprint)
    expect(await at.deliver(() => {}, [at.text])).toEqual([])
    expect(at.record()).toMatchObject({ status: 'done', eventId: 'evt_1', source: 'stripe' })
  })

  it('a message of an older generation than the record is deleted and changes nothing', async () => {
    const at = await queued()
    for (const record of at.records.values()) at.records.set({ ...record, generation: 1 })
    const before = at.record()
    const calls: unknown[] = []
    expect(await at.deliver(given => void calls.push(given), [at.text])).toEqual([])
    expect(calls).toEqual([])
    expect(at.record()).toEqual(before)
  })

  it('a message of a newer generation than the record is worked on: the message is the truth', async () => {
    const at = await queued()
    expect(await at.deliver(() => {}, [changed(at.text, { generation: 3 })])).toEqual([])
    expect(at.record()).toMatchObject({ status: 'done', generation: 3 })
  })

  it('a message past its own expiry fails, is not handled, and keeps its body for redrive', async () => {
    const at = await queued()
    at.advance(31 * 86_400_000)
    const calls: unknown[] = []
    expect(await at.deliver(given => void calls.push(given), [at.text])).toEqual([])
    expect(calls).toEqual([])
    expect(at.record()).toMatchObject({
      status: 'failed',
      lastError: expect.stringContaining('Expired'),
      bodyAt: 'dynamodb',
    })
  })

  it.each([0, 3])(
    'an expired message of generation %d that comes back after its event was forgotten and sent anew leaves the new one alone',
    async generation => {
      const at = await queued()
      at.advance(40 * 86_400_000)
      expect((await at.stripe(event())).status).toBe(202)
      at.advance(60_000)
      const before = at.record()
      expect(before).toMatchObject({ status: 'queued', generation: 0 })
      expect(await at.deliver(() => {}, [changed(at.text, { generation })])).toEqual([])
      expect(at.record()).toEqual(before)
      const [, anew = ''] = at.texts()
      expect(await at.deliver(() => {}, [anew])).toEqual([])
      expect(at.record()).toMatchObject({ status: 'done', generation: 0 })
    },
  )

  it.each([
    ['is not JSON', () => 'hello'],
    ['is of another version', (text: string) => changed(text, { version: 2 })],
    ['has no body', (text: string) => changed(text, { body: undefined })],
    [
      'has a body of an unknown encoding',
      (text: string) => changed(text, { body: { ...JSON.parse(text).body, encoding: 'x' } }),
    ],
    ['is another queue\u2019s', () => '{"Type":"Notification","Message":"hi"}'],
  ])('a message that %s fails alone: its neighbours are done', async (_name, spoil) => {
    const at = await queued()
    expect(await at.deliver(() => {}, [spoil(at.text), at.text])).toEqual(['m-0'])
    expect(at.record()).toMatchObject({ status: 'done' })
  })

  it('a message whose bytes do not match their hash reaches no handler that reads them, and comes back', async () => {
    const at = await queued()
    const body = { ...JSON.parse(at.text).body, data: Buffer.from('{"id":"evil"}').toString('base64') }
    const bodies: unknown[] = []
    const failed = await at.deliver(async given => void bodies.push(await given.json()), [changed(at.text, { body })])
    expect(failed).toEqual(['m-0'])
    expect(bodies).toEqual([])
    expect(at.record()).toMatchObject({ status: 'working', lastError: expect.stringContaining('BodyDamaged') })
  })

  it('a message that points to a body which is gone comes back, and says why', async () => {
    const at = await queued()
    const { sha256, size } = JSON.parse(at.text).body
    const body = { sha256: sha256.replace(/./g, '0'), size, encoding: 'pointer', at: 's3:14d' }
    expect(await at.deliver(async given => void (await given.bytes()), [changed(at.text, { body })])).toEqual(['m-0'])
    expect(at.record()).toMatchObject({ lastError: expect.stringContaining('BodyGone') })
  })

  it('a body that travels by pointer is fetched when the handler asks, byte for byte', async () => {
    const noise = Array.from({ length: 40_000 }, (_, index) =>
      createHash('sha256').update(String(index)).digest('hex'),
    ).join('')
    const at = await queued({ noise })
    expect(JSON.parse(at.text).body.encoding).toBe('pointer')
    const sizes: number[] = []
    expect(await at.deliver(async given => void sizes.push((await given.bytes()).length), [at.text])).toEqual([])
    expect(sizes).toEqual([Buffer.byteLength(JSON.stringify(event('evt_1', { noise })))])
  })
})

describe('a handler', () => {
  it('a handler that throws leaves the event working, its error noted, and the message comes back', async () => {
    const at = await queued()
    const failed = await at.deliver(() => {
      throw new RangeError('out of stock')
    }, [at.text])
    expect(failed).toEqual(['m-0'])
    expect(at.record()).toMatchObject({
      status: 'working',
      lastError: 'RangeError: out of stock',
      leaseUntil: at.world.now(),
    })
    expect(await at.deliver(() => {}, [at.text], { receiveCount: 2 })).toEqual([])
    expect(at.record()).toMatchObject({ status: 'done', attempts: 2, lastError: null })
  })

  it.each([
    ['an error of five thousand characters', new Error('x'.repeat(5_000)), /^Error: x{100,113}$/],
    ['an object without a prototype', Object.create(null), /^threw a object$/],
    ['nothing', undefined, /^threw a undefined$/],
  ])('what a handler throws is noted in a line: %s', async (_name, thrown, expected) => {
    const at = await queued()
    await at.deliver(() => {
      throw thrown
    }, [at.text])
    expect(at.record().lastError).toMatch(expected)
  })

  it('a handler that throws Unprocessable fails the event at once, keeps its body and deletes the message', async () => {
    const at = await queued()
    const failed = await at.deliver(() => {
      throw new Unprocessable('no such plan')
    }, [at.text])
    expect(failed).toEqual([])
    expect(at.record()).toMatchObject({
      status: 'failed',
      lastError: 'Unprocessable: no such plan',
      bodyAt: 'dynamodb',
    })
  })

  it('a handler that ignores its event ends it as ignored, with the reason, and the message is deleted', async () => {
    const at = await queued()
    const before = at.record()
    const lines: string[] = []
    const write = (line: string) => void lines.push(line)
    expect(await at.deliver(async () => ignore('not one of ours'), [at.text], { write })).toEqual([])
    const { bodyAt, expiresAt } = before
    expect(at.record()).toMatchObject({ status: 'ignored', ignoredBecause: 'not one of ours', lastError: null })
    expect(at.record(), 'nothing is kept longer than its source says').toMatchObject({ bodyAt, expiresAt })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ work: 'ignored', ignoredBecause: 'not one of ours', Ignored: 1 })
  })

  it('a reason to ignore an event is cut to what a record has room for', async () => {
    const at = await queued()
    await at.deliver(() => ignore('x'.repeat(1_000)), [at.text])
    expect(at.record().ignoredBecause).toHaveLength(120)
  })

  it('an ignored event that is sent again is a duplicate, and a second message of it is skipped', async () => {
    const at = await queued()
    const handled: string[] = []
    const handler: Handler = event => {
      handled.push(event.eventId)
      return ignore('not one of ours')
    }
    await at.deliver(handler, [at.text])
    expect(await at.deliver(handler, [at.text])).toEqual([])
    expect(handled).toHaveLength(1)
    expect(await at.bury(at.text)).toEqual({ work: 'skipped', why: 'ignored' })
    expect(await at.stripe(event('evt_1'))).toMatchObject({ status: 200, body: { status: 'duplicate' } })
  })

  it('a handler that ignores its event after it has committed is done', async () => {
    const at = await queued()
    await at.deliver(
      async (_event, { commit }) => {
        await commit([])
        return ignore('too late')
      },
      [at.text],
    )
    expect(at.record()).toMatchObject({ status: 'done', ignoredBecause: null })
  })

  it('an event whose handler ignores it comes back if the store fails before that is confirmed', async () => {
    const at = await queued()
    const ignoring = async () => ({ kind: 'unavailable', cause: 'timeout' }) as const
    const world = { ...at.world, work: { ...at.world.work, ignore: ignoring } }
    expect(await at.deliver(() => ignore('not one of ours'), [at.text], { world })).toHaveLength(1)
    expect(at.record().status).toBe('working')
  })

  it('a handler that hangs is given up in time, and its lease stays because it may yet have its effect', async () => {
    const at = await queued()
    const failed = await at.deliver(() => new Promise(() => {}), [at.text], { remaining: 1_020 })
    expect(failed).toEqual(['m-0'])
    expect(at.record()).toMatchObject({ status: 'working', lastError: expect.stringContaining('Deadline') })
    expect(at.record().leaseUntil).toBe(at.world.now() + 1_020 + 5_000)
    expect(await at.deliver(() => {}, [at.text])).toEqual(['m-0'])
    at.advance(6_020)
    expect(await at.deliver(() => {}, [at.text])).toEqual([])
  })

  it('a handler that rejects after it was given up disturbs nobody', async () => {
    const at = await queued()
    const late = Promise.withResolvers<void>()
    await at.deliver(() => late.promise, [at.text], { remaining: 1_010 })
    late.reject(new Error('too late'))
    await new Promise(setImmediate)
    expect(at.record()).toMatchObject({ status: 'working' })
  })

  it('a handler that changes its event changes only its own copy', async () => {
    const at = await queued()
    await at.deliver(
      async given => {
        Object.assign(given, { id: 'other', source: 'other', generation: 9 })
        ;(await given.bytes()).fill(0)
        expect(await given.json()).toMatchObject({ id: 'evt_1' })
      },
      [at.text],
    )
    expect(at.record()).toMatchObject({ status: 'done', generation: 0 })
  })

  it('a handler is not begun when the time is up, and the message comes back', async () => {
    const at = await queued()
    const calls: unknown[] = []
    expect(await at.deliver(given => void calls.push(given), [at.text], { remaining: 900 })).toEqual(['m-0'])
    expect(calls).toEqual([])
  })

  it('with no time left is not called, which is no try, and the event is free at once', async () => {
    const at = await queued()
    await at.deliver(() => {}, [at.text], { remaining: 0 })
    expect(at.record()).toMatchObject({ status: 'queued', attempts: 0 })
    expect(await at.deliver(() => {}, [at.text])).toEqual([])
    expect(at.record()).toMatchObject({ status: 'done', attempts: 1 })
  })

  it('a handler gets the same idempotency key while a failed event is tried again, also in a later generation', async () => {
    const at = await queued()
    const keys: string[] = []
    await at.deliver(
      given => {
        keys.push(given.idempotencyKey)
        throw new Unprocessable('x')
      },
      [at.text],
    )
    await at.stripe(event())
    await at.deliver(given => void keys.push(given.idempotencyKey), [at.texts()[1] ?? ''])
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
    expect(at.record()).toMatchObject({ status: 'done', generation: 1 })
  })
})

describe('a store that fails', () => {
  const broken = (at: WholeRig, broken: Partial<WorkStore>) => ({
    world: { ...at.consumer, work: { ...at.consumer.work, ...broken } },
  })
  const down = async () => ({ kind: 'unavailable' as const, cause: 'x' })

  it('a handler is not called if the store fails before it, and the message comes back', async () => {
    const at = await queued()
    const calls: unknown[] = []
    expect(await at.deliver(given => void calls.push(given), [at.text], broken(at, { take: down }))).toEqual(['m-0'])
    expect(calls).toEqual([])
  })

  it('a message comes back if the store fails after the handler, because done is not confirmed', async () => {
    const at = await queued()
    expect(await at.deliver(() => {}, [at.text], broken(at, { finish: down }))).toEqual(['m-0'])
  })

  it('a consumer that was superseded cannot set its event done, and does not delete the message', async () => {
    const at = await queued()
    const failed = await at.deliver(() => {
      at.advance(60_000)
      const [record] = at.records.values()
      if (record) at.records.set({ ...record, fence: anyFence(), leaseUntil: millis(at.world.now() + 9_000) })
    }, [at.text])
    expect(failed).toEqual(['m-0'])
  })

  it('a message comes back if the store fails while a permanent failure is noted', async () => {
    const at = await queued()
    const failed = await at.deliver(
      () => {
        throw new Unprocessable('x')
      },
      [at.text],
      { world: { ...at.consumer, failures: { fail: down } } },
    )
    expect(failed).toEqual(['m-0'])
  })
})

describe('commit', () => {
  const effect = (key: string) => ({ Put: { TableName: EFFECTS, Item: { key } } })

  it('a commit writes the effect and done together, and finishing writes no second time', async () => {
    const at = await queued()
    let finishes = 0
    const finish: WorkStore['finish'] = (...call) => {
      finishes++
      return at.consumer.work.finish(...call)
    }
    const world = { ...at.consumer, work: { ...at.consumer.work, finish } }
    expect(
      await at.deliver(async (_event, { commit }) => void (await commit([effect('a')])), [at.text], { world }),
    ).toEqual([])
    expect(at.memory.effects()).toEqual([{ key: 'a' }])
    expect(finishes).toBe(0)
    expect(at.record()).toMatchObject({ status: 'done' })
  })

  it('a commit of a consumer that was superseded writes nothing, and its message comes back', async () => {
    const at = await queued()
    const failed = await at.deliver(
      async (_event, { commit }) => {
        at.advance(60_000)
        await at.deliver(() => {}, [at.text])
        await commit([effect('a')])
      },
      [at.text],
    )
    expect(at.memory.effects()).toEqual([])
    expect(failed).toEqual([])
    expect(at.record()).toMatchObject({ status: 'done' })
  })

  it('a commit that got no answer is not taken for done, even when the handler returns', async () => {
    const at = await queued()
    const commit: WorkStore['commit'] = async () => ({ kind: 'unavailable', cause: 'x' })
    const world = { ...at.consumer, work: { ...at.consumer.work, commit } }
    expect(
      await at.deliver(async (_event, tools) => void (await tools.commit([effect('a')])), [at.text], { world }),
    ).toEqual(['m-0'])
  })

  it('a second commit after the first one is done is told that it is over, and writes nothing', async () => {
    const at = await queued()
    const results: unknown[] = []
    await at.deliver(
      async (_event, { commit }) => void results.push(await commit([effect('a')]), await commit([effect('b')])),
      [at.text],
    )
    expect(results).toEqual([{ kind: 'committed' }, { kind: 'over', status: 'done' }])
    expect(at.memory.effects()).toEqual([{ key: 'a' }])
    expect(at.record()).toMatchObject({ status: 'done' })
  })

  it('a commit of more writes than a transaction takes says so and writes nothing', async () => {
    const at = await queued()
    const results: unknown[] = []
    await at.deliver(
      async (_event, { commit }) => void results.push(await commit(Array.from({ length: 100 }, () => effect('a')))),
      [at.text],
    )
    expect(results).toEqual([{ kind: 'too-many', limit: 99 }])
    expect(at.memory.effects()).toEqual([])
    expect(at.record()).toMatchObject({ status: 'working', lastError: 'Commit: more than 99 writes' })
  })
})

describe('order', () => {
  it('an update that comes before its create leaves the newest version in place', async () => {
    const at = wholeRig()
    const state = new Map<string, string>()
    const handler: Handler = async (given, { newest }) => {
      const { customer, version, name } = await given.json<{ customer: string; version: number; name: string }>()
      if ((await newest(customer, version)) === 'newest') state.set(customer, name)
    }
    await at.stripe(event('evt_update', { customer: 'c1', version: 2, name: 'new' }))
    await at.stripe(event('evt_create', { customer: 'c1', version: 1, name: 'old' }))
    expect(await at.deliver(handler, at.texts())).toEqual([])
    expect(state.get('c1')).toBe('new')
  })

  it('an older version stays stale for as long as its event can be replayed', async () => {
    const DAY = 86_400_000
    const at = wholeRig({ sources: { stripe: { provider: 'stripe', retain: '30d' } } })
    const said: string[] = []
    const handler: Handler = async (given, { newest }) =>
      void said.push(await newest('invoice', (await given.json<{ version: number }>()).version))
    for (const version of [5, 4]) await at.stripe(event(`evt_${version}`, { version }))
    await at.deliver(handler, at.texts())
    const id = at.records.values().find(({ eventId }) => eventId === 'evt_4')?.fingerprint
    if (!id) throw new Error('there is no record')
    for (const days of [25, 10]) {
      at.advance(days * DAY)
      const replayed = await replay(at.world, { id, actor: 'ada', reason: 'again', job: null })
      expect(replayed).toMatchObject({ kind: 'replayed' })
      await at.deliver(handler, at.texts().slice(-1))
    }
    expect(said).toEqual(['newest', 'stale', 'stale', 'stale'])
  })

  it('in a FIFO group, the messages after a failed one come back with it', async () => {
    const at = wholeRig()
    for (const id of ['evt_1', 'evt_2', 'evt_3']) await at.stripe(event(id))
    const handled: string[] = []
    const failed = await at.deliver(
      given => {
        handled.push(given.eventId)
        if (given.eventId === 'evt_2') throw new Error('no')
      },
      at.texts(),
      { group: 'g' },
    )
    expect(failed).toEqual(['m-1', 'm-2'])
    expect(handled).toEqual(['evt_1', 'evt_2'])
  })

  it('the ordering key and version that a source names travel with the message', async () => {
    const at = wholeRig({
      sources: { stripe: { provider: 'stripe', ordering: { key: 'data.id', version: 'created' } } },
    })
    await at.stripe(event('evt_1', { data: { id: 'sub_1' }, created: 1_760_000_000 }))
    await at.stripe(event('evt_2', {}))
    expect(at.messages().map(({ ordering }) => ordering)).toEqual([
      { key: 'sub_1', version: 1_760_000_000 },
      { key: 'evt_2', version: null },
    ])
  })
})

describe('what is said of a message', () => {
  it('a message writes one log line with its outcome, and never its body', async () => {
    const at = await queued({ card: 'canary' })
    const lines: string[] = []
    await at.deliver(() => {}, [at.text], { write: said => void lines.push(said) })
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      Source: 'stripe',
      Done: 1,
      work: 'done',
      eventId: 'evt_1',
    })
    expect(lines[0]).not.toContain('canary')
  })
})

describe('a dead letter', () => {
  it('a dead letter is kept, marked failed with the last error, and may then be deleted', async () => {
    const at = await queued()
    await at.deliver(() => {
      throw new Error('always')
    }, [at.text])
    const lastError = 'Undelivered: handed out 1000 times, after 1 of 16 tries; the last error was Error: always'
    expect(await at.bury(at.text)).toEqual({ work: 'failed', lastError })
    expect(at.record()).toMatchObject({ status: 'failed', attempts: 1, lastError, bodyAt: 'dynamodb' })
  })

  it('of an event that was never tried says so', async () => {
    const at = await queued()
    at.advance(20_000)
    await at.bury(at.text)
    expect(at.record()).toMatchObject({
      status: 'failed',
      attempts: 0,
      lastError: 'Undelivered: handed out 1000 times, after 0 of 16 tries',
    })
  })

  it('of an event without a try left says what its handler said last', async () => {
    const at = await queued()
    for (const record of at.records.values()) {
      at.records.set({
        ...record,
        status: 'working',
        attempts: 16,
        lastError: 'Error: always',
        leaseUntil: at.world.now(),
      })
    }
    expect(await at.bury(at.text)).toEqual({ work: 'failed', lastError: 'Error: always' })
  })

  it('a dead letter of an event that is done, or moved on, changes nothing', async () => {
    const at = await queued()
    await at.deliver(() => {}, [at.text])
    const before = at.record()
    expect(await at.bury(at.text)).toEqual({ work: 'skipped', why: 'done' })
    expect(at.record()).toEqual(before)
  })

  it('a dead letter of an event that a consumer is working on right now waits', async () => {
    const at = await queued()
    await at.deliver(() => new Promise(() => {}), [at.text], { remaining: 1_010 })
    expect(await at.bury(at.text)).toMatchObject({ work: 'busy' })
  })

  it('a dead letter that is no message of ours is kept as it is, and listed as failed', async () => {
    const at = await queued()
    expect(await at.bury('hello')).toMatchObject({ work: 'failed', lastError: expect.stringContaining('Malformed') })
    const { records } = await at.world.records.list({ limit: 10, now: at.world.now(), from: at.world.now() })
    expect(records.map(({ status, source }) => `${source} ${status}`).sort()).toEqual([
      '(malformed) failed',
      'stripe queued',
    ])
  })
})
