import { describe, expect, it } from 'vitest'
import { type Fingerprint, millis } from '../../../functions/domain/brands.ts'
import type { ListComparison } from '../../../functions/domain/reconciler.ts'
import { Secret } from '../../../functions/domain/secret.ts'
import type { SourceConfig } from '../../../functions/domain/source.ts'
import { replay } from '../../../functions/operate/replay.ts'
import { reconcileDue } from '../../../functions/reconcile/reconcile-due.ts'
import { reconcileLine } from '../../../functions/reconcile/reconcile-line.ts'
import type { Reconciling } from '../../../functions/reconcile/run-source.ts'
import { anyFence, NOON } from '../../support/events.ts'
import { githubDeliveries, type StubEvent, stripeEvent, stripeEvents } from '../../support/sender-stubs.ts'
import { httpOf, type StubAnswer, type StubRequest } from '../../support/stub-api.ts'
import { wholeRig } from '../../support/whole-rig.ts'

const KEY = 'rk_test_reconcile'
const MINUTE = 60_000
const HOUR = 3_600_000
const NEVER = new AbortController().signal

/** Old enough that none of them is on its way. */
const events = (count: number, from = NOON - 10 * MINUTE): StubEvent[] =>
  Array.from({ length: count }, (_, number) => ({
    id: `evt_${number}`,
    type: 'invoice.paid',
    at: from - number * 1_000,
  }))

type Api = (asked: StubRequest) => StubAnswer | Promise<StubAnswer>
type Schedule = NonNullable<SourceConfig['reconcile']>

const setUp = (api: Api, reconcile: Partial<Schedule> = {}, more: Record<string, SourceConfig> = {}) => {
  const schedule = { every: '1h', back: '6h', ...reconcile } as const
  const at = wholeRig({ sources: { stripe: { provider: 'stripe', reconcile: schedule }, ...more } })
  const asked: StubRequest[] = []
  const world: Reconciling = {
    ...at.world,
    http: httpOf(api, asked),
    pause: async () => {},
    apiKey: async () => new Secret(KEY),
    urlOf: source => `https://hooks.example.com/webhooks/${source}`,
  }
  const run = (changed: Partial<Reconciling> = {}, stop: AbortSignal = NEVER) =>
    reconcileDue({ ...world, ...changed }, { stop, tick: millis(HOUR) })
  return { at, asked, world, run }
}

const received = async ({ at }: ReturnType<typeof setUp>, sent: readonly StubEvent[]): Promise<void> => {
  for (const event of sent) expect((await at.stripe(stripeEvent(event))).status).toBe(202)
}

describe('the scheduled reconciler', () => {
  it('takes what is missing, remembers what it found, and says it as a line with metrics', async () => {
    const all = events(5)
    const rig = setUp(stripeEvents(all))
    await received(rig, all.slice(2))
    const [told] = (await rig.run()) ?? []
    expect(told).toMatchObject({ source: 'stripe', listed: 5, known: 3, missing: 2, taken: 2, why: null })
    expect(await rig.world.reconciler.last('stripe')).toEqual(told)
    const taken = rig.at.records.values().filter(({ via }) => via === 'reconcile')
    expect(taken.map(({ eventId }) => eventId)).toEqual(['evt_0', 'evt_1'])
    expect(await rig.at.world.replays.recent(NOON, rig.at.world.now(), 10)).toMatchObject([
      { actor: 'the schedule', reason: 'every 60 minutes', act: 'reconcile' },
      {},
    ])
    const line = JSON.parse(reconcileLine('local', told as ListComparison))
    expect(line).toMatchObject({ Source: 'stripe', Missing: 2, Taken: 2, Compared: 1 })
    expect(JSON.stringify(line)).not.toContain(KEY)
  })

  it('what only reports takes nothing, and counts what is missing', async () => {
    const all = events(3)
    const rig = setUp(stripeEvents(all), { reportOnly: true })
    await received(rig, all.slice(1))
    expect(await rig.run()).toMatchObject([{ missing: 1, taken: 0, why: null }])
    expect(rig.at.records.values()).toHaveLength(2)
  })

  it('only the types that are named count, or those of the routes', async () => {
    const all = [...events(2), { id: 'evt_other', type: 'charge.refunded', at: NOON - HOUR }]
    const named = setUp(stripeEvents(all), { types: ['charge.*'] })
    expect(await named.run()).toMatchObject([{ listed: 1, missing: 1, taken: 1 }])
    const routed = wholeRig({
      sources: {
        stripe: {
          provider: 'stripe',
          reconcile: { every: '1h', back: '6h' },
          routes: [{ when: { type: 'charge.refunded' }, to: 'worker' }],
        },
      },
    })
    expect(routed.world.sources.get('stripe')?.reconcile?.types).toEqual(['charge.refunded'])
  })

  it('an event behind six pages of types that have no route is taken', async () => {
    const others = Array.from({ length: 600 }, (_, n) => ({ id: `evt_c${n}`, type: 'charge.updated', at: NOON - n }))
    const lost = { id: 'evt_lost', type: 'invoice.paid', at: NOON - HOUR }
    const rig = setUp(stripeEvents([...others, lost]), { types: ['invoice.paid'] })
    expect(await rig.run()).toMatchObject([{ listed: 1, missing: 1, taken: 1, why: null }])
    expect(rig.at.records.values()).toMatchObject([{ eventId: 'evt_lost' }])
  })

  it('an old event that was replayed in the time of an outage does not keep it from taking what is missing', async () => {
    const now = NOON + 24 * HOUR
    const [old, ...missing] = [{ id: 'evt_old', type: 'invoice.paid', at: NOON }, ...events(3, now - HOUR)] as const
    const rig = setUp(stripeEvents([...missing, old]))
    await received(rig, [old])
    await rig.at.deliver(() => {}, rig.at.texts())
    rig.at.advance(24 * HOUR)
    const id = rig.at.records.values()[0]?.fingerprint as Fingerprint
    const asked = { id, actor: 'ada', reason: 'x', job: null }
    expect(await replay(rig.at.world, asked)).toMatchObject({ kind: 'replayed' })
    await rig.at.deliver(() => {}, rig.at.texts().slice(-1))
    rig.at.advance(10 * MINUTE)
    expect(await rig.run()).toMatchObject([{ missing: 3, taken: 3, why: null }])
  })

  it('it is not due again before its time, and half a tick early is not too early', async () => {
    const rig = setUp(stripeEvents(events(1)))
    expect(await rig.run()).toHaveLength(1)
    rig.at.advance(25 * MINUTE)
    expect(await rig.run()).toEqual([])
    rig.at.advance(10 * MINUTE)
    expect(await rig.run()).toHaveLength(1)
  })

  it('two runs at once: one of them does nothing', async () => {
    const rig = setUp(stripeEvents(events(3)))
    const both = await Promise.all([rig.run(), rig.run()])
    expect(both.filter(told => told === undefined)).toHaveLength(1)
    expect(rig.at.texts()).toHaveLength(3)
  })

  it('a run that was killed is resumed by the next one where it ended, and nothing is taken twice', async () => {
    const all = events(250)
    const rig = setUp(stripeEvents(all))
    // What a killed process leaves: the lease, and what was written with the last page.
    const never = new Promise<never>(() => {})
    const http: Reconciling['http'] = async request =>
      request.url.includes('evt_199') ? never : rig.world.http(request)
    void rig.run({ http })
    while (rig.asked.length < 2) await new Promise(resolve => setImmediate(resolve))
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(await rig.run()).toBeUndefined()
    rig.at.advance(4 * MINUTE)
    const before = rig.asked.length
    expect(await rig.run()).toMatchObject([{ listed: 250, missing: 250, taken: 250, why: null }])
    expect(rig.asked[before]?.search.get('starting_after')).toBe('evt_199')
    expect(rig.at.texts()).toHaveLength(250)
    rig.at.advance(HOUR)
    expect(await rig.run()).toMatchObject([{ known: 250, missing: 0, taken: 0 }])
  })

  it('a run whose time is over tells nothing, and the next one goes on', async () => {
    const rig = setUp(stripeEvents(events(250)))
    const stop = new AbortController()
    const http: Reconciling['http'] = async request => {
      stop.abort()
      return rig.world.http(request)
    }
    expect(await rig.run({ http }, stop.signal)).toEqual([])
    expect(await rig.run()).toMatchObject([{ listed: 250, taken: 250 }])
  })

  it('after an outage of its own it goes back to where it last was', async () => {
    const rig = setUp(stripeEvents(events(1)))
    await rig.run()
    rig.at.advance(20 * HOUR)
    await rig.run()
    const since = Number(rig.asked.at(-1)?.search.get('created[gte]'))
    expect(since).toBe(Math.floor((NOON - 5 * MINUTE) / 1000))
  })

  it('it never goes back further than events are remembered: what was handled and forgotten would be taken a second time', async () => {
    const reconcile = { every: '1h', back: '6h' } as const
    const rig = setUp(
      () => ({ status: 500, body: {} }),
      {},
      { stripe: { provider: 'stripe' }, paddle: { provider: 'paddle', reconcile } },
    )
    const { reconciler, sources } = rig.world
    const lease = { fence: anyFence(), now: NOON, leaseUntil: millis(NOON + 1) }
    await reconciler.begin(lease)
    const comparedUntil = millis(NOON - 80 * 24 * HOUR)
    await reconciler.save(
      { ...lease, leaseUntil: NOON },
      {
        sources: { paddle: { startedAt: comparedUntil, comparedUntil, pass: null } },
        senders: {},
      },
    )
    const [told] = (await rig.run()) ?? []
    expect(told?.since).toBe(NOON - ((sources.get('paddle')?.memory ?? 0) * 1000 - 24 * HOUR))
  })

  it('an event of the last minutes is on its way, and not missing', async () => {
    const rig = setUp(stripeEvents([{ id: 'evt_now', type: 'invoice.paid', at: NOON - MINUTE }]))
    expect(await rig.run()).toMatchObject([{ listed: 0, missing: 0 }])
  })

  it('GitHub is asked to deliver again, and what was asked for counts as taken', async () => {
    const redelivered: number[] = []
    const hook = { id: 7, url: 'https://hooks.example.com/webhooks/github', repository: 'acme/shop' }
    const deliveries = [1, 2].map(delivery => ({
      id: `guid-${delivery}`,
      type: 'push',
      at: NOON - 10 * MINUTE,
      delivery,
    }))
    const github = githubDeliveries(deliveries, hook, async ({ delivery }) => void redelivered.push(delivery))
    const rig = setUp(
      github,
      {},
      {
        stripe: { provider: 'stripe' },
        github: { provider: 'github', account: 'acme/shop', reconcile: { every: '1h', back: '6h' } },
      },
    )
    const [told] = (await rig.run({ apiKey: async () => new Secret('github_pat_stub') })) ?? []
    expect(told).toMatchObject({ source: 'github', missing: 2, redelivered: 2, taken: 0 })
    expect(redelivered).toEqual([1, 2])
    expect(JSON.parse(reconcileLine('local', told as ListComparison))).toMatchObject({ Taken: 2 })
  })
})

describe('the scheduled reconciler on bad days', () => {
  it.each([
    ['a wrong key', { status: 401, body: {} }, 'does not accept the API key (401)'],
    ['a key with too few rights', { status: 403, body: {} }, 'It needs a restricted key with read access to Events'],
    ['HTML', { body: '<html>' }, 'is not JSON'],
  ])(
    '%s is noted with a sentence, nothing is taken, and it begins anew when it is due',
    async (_, answer: StubAnswer, says) => {
      const rig = setUp(() => answer)
      const [told] = (await rig.run()) ?? []
      expect(told).toMatchObject({ listed: 0, taken: 0, why: expect.stringContaining(says) })
      expect(JSON.parse(reconcileLine('local', told as ListComparison))).toMatchObject({ Compared: 0 })
      expect(await rig.run()).toEqual([])
    },
  )

  it('without an API key nobody is asked, and the sentence says what to do', async () => {
    const rig = setUp(stripeEvents([]))
    expect(await rig.run({ apiKey: async () => undefined })).toMatchObject([
      { why: 'No API key is set: npx hooklatch secrets set stripe --api-key' },
    ])
    expect(rig.asked).toEqual([])
  })

  it('a sender that asks for an hour of patience is not called before that, by none of its sources', async () => {
    let limited = true
    const list = stripeEvents(events(2))
    const rig = setUp(
      asked => (limited ? { status: 429, headers: { 'retry-after': '3600' }, body: {} } : list(asked)),
      { every: '5m', back: '6h' },
      { second: { provider: 'stripe', reconcile: { every: '5m', back: '6h' } } },
    )
    const told = await rig.run()
    expect(told).toMatchObject([{ why: expect.stringContaining('slow down') }, { why: expect.any(String) }])
    expect(rig.asked).toHaveLength(1)
    rig.at.advance(59 * MINUTE)
    await rig.run()
    expect(rig.asked).toHaveLength(1)
    rig.at.advance(2 * MINUTE)
    limited = false
    expect(await rig.run()).toMatchObject([{ why: null }, { why: null }])
  })

  it('the calls of an hour are counted across runs, and half of what the sender allows is not passed', async () => {
    const rig = setUp(stripeEvents(events(1)), { every: '5m', back: '6h' })
    const state = { hour: NOON, calls: 9_000, notBefore: NOON }
    const fence = rig.world.newFence()
    await rig.world.reconciler.begin({ fence, now: NOON, leaseUntil: millis(NOON + 1) })
    await rig.world.reconciler.save({ fence, now: NOON, leaseUntil: NOON }, { sources: {}, senders: { stripe: state } })
    expect(await rig.run()).toMatchObject([{ why: expect.stringContaining('9000 calls were made in this hour') }])
    expect(rig.asked).toEqual([])
    rig.at.advance(HOUR)
    expect(await rig.run()).toMatchObject([{ why: null }])
  })

  it('ids that are not those of the webhooks are not taken, since every event would be a second one', async () => {
    const rig = setUp(stripeEvents(events(3).map(event => ({ ...event, id: `other_${event.id}` }))))
    rig.at.advance(-15 * MINUTE)
    await received(rig, events(3))
    rig.at.advance(15 * MINUTE)
    expect(await rig.run()).toMatchObject([{ missing: 3, taken: 0, why: expect.stringContaining('None of the 3') }])
    expect(rig.at.texts()).toHaveLength(3)
  })

  it('a run that lost its lease writes nothing more, and takes nothing more', async () => {
    const rig = setUp(stripeEvents(events(250)))
    const save: Reconciling['reconciler']['save'] = async () => false
    expect(await rig.run({ reconciler: { ...rig.world.reconciler, save } })).toEqual([])
    expect(rig.at.texts()).toEqual([])
  })
})
