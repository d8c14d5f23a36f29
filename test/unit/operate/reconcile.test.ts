import { describe, expect, it } from 'vitest'
import type { Http } from '../../../functions/domain/api-answer.ts'
import type { Queue } from '../../../functions/domain/ports.ts'
import type { Sources } from '../../../functions/domain/source.ts'
import { actsOf } from '../../../functions/operate/acts.ts'
import type { CompareOrder } from '../../../functions/operate/compare-sent.ts'
import { whyDoubtful } from '../../../functions/operate/doubt.ts'
import { type Reconciling, reconcile } from '../../../functions/operate/reconcile.ts'
import { NOON } from '../../support/events.ts'
import { receiveRig } from '../../support/receive-rig.ts'
import { githubDeliveries, type StubEvent, stripeEvent, stripeEvents } from '../../support/sender-stubs.ts'
import { httpOf, type StubAnswer, type StubRequest } from '../../support/stub-api.ts'
import { wholeRig } from '../../support/whole-rig.ts'

const KEY = 'rk_test_reconcile'
const URL_OF_OURS = 'https://hooks.example.com/webhooks/github'

const events = (count: number): StubEvent[] =>
  Array.from({ length: count }, (_, number) => ({
    id: `evt_${number}`,
    type: 'invoice.paid',
    at: NOON - number * 1_000,
  }))

type Api = (asked: StubRequest) => StubAnswer | Promise<StubAnswer>

const SOURCES: Sources = { stripe: { provider: 'stripe' }, github: { provider: 'github', account: 'acme/shop' } }

const setUp = (api: Api, sources?: Parameters<typeof wholeRig>[0]) => {
  const at = wholeRig(sources ?? { sources: SOURCES })
  const asked: StubRequest[] = []
  const waits: number[] = []
  const acts = actsOf({ ...at.world, http: httpOf(api, asked), pause: async () => {} }, 'ada')
  const order: CompareOrder = {
    source: 'stripe',
    apiKey: KEY,
    since: (NOON - 86_400_000) as CompareOrder['since'],
    types: [],
    after: null,
    url: URL_OF_OURS,
    rate: 5,
    except: [],
  }
  const desk: Reconciling = { compare: acts.compareSent, pause: async span => void waits.push(span) }
  return {
    at,
    acts,
    asked,
    waits,
    order,
    desk,
    run: (more: Partial<CompareOrder> = {}) => reconcile(desk, { ...order, ...more }),
  }
}

const received = async ({ at }: ReturnType<typeof setUp>, sent: readonly StubEvent[]): Promise<void> => {
  for (const event of sent) expect((await at.stripe(stripeEvent(event))).status).toBe(202)
}

describe('reconcile with a list of events', () => {
  it('what the sender lists and never arrived is named exactly, over several pages, and nothing is taken', async () => {
    const all = events(250)
    const missed = all.filter((_, number) => number % 25 === 3)
    const rig = setUp(stripeEvents(all))
    await received(
      rig,
      all.filter(event => !missed.includes(event)),
    )
    const { report, why } = await rig.run()
    expect(why).toBeNull()
    expect(report).toMatchObject({ listed: 250, known: 240, taken: 0, redelivered: 0, unknown: 0, next: null })
    expect(report.missing.map(({ eventId }) => eventId)).toEqual(missed.map(({ id }) => id))
    expect(report.missing[0]).toEqual({
      eventId: 'evt_3',
      type: 'invoice.paid',
      createdAt: new Date(NOON - 3_000).toISOString(),
    })
    expect(rig.at.records.values()).toHaveLength(240)
  })

  it('what is missing is taken once: recorded with who and why, queued as it is listed, and known from then on', async () => {
    const all = events(5)
    const rig = setUp(stripeEvents(all))
    await received(rig, all.slice(2))
    const { report } = await rig.run({ reason: 'endpoint was disabled' })
    expect(report).toMatchObject({ listed: 5, known: 3, taken: 2 })
    const taken = rig.at.records.values().filter(({ via }) => via === 'reconcile')
    expect(taken.map(({ eventId, status }) => [eventId, status])).toEqual([
      ['evt_0', 'queued'],
      ['evt_1', 'queued'],
    ])
    const audits = await rig.at.world.replays.recent(NOON, rig.at.world.now(), 10)
    expect(audits).toMatchObject(
      [0, 1].map(() => ({ act: 'reconcile', actor: 'ada', reason: 'endpoint was disabled', generation: 0 })),
    )
    const handled: (string | null)[] = []
    await rig.at.deliver(async event => void handled.push(`${event.eventId} ${event.via}`), rig.at.texts())
    expect(handled.sort()).toEqual([
      'evt_0 reconcile',
      'evt_1 reconcile',
      'evt_2 undefined',
      'evt_3 undefined',
      'evt_4 undefined',
    ])
    expect((await rig.run()).report).toMatchObject({ known: 5, missing: [] })
  })

  it('what arrived and was never queued, because SQS was away until its sender gave up, is missing and taken', async () => {
    const all = events(3)
    const rig = setUp(stripeEvents(all))
    const { world } = rig.at
    const send: Queue['send'] = async () => ({ kind: 'refused', cause: 'away' })
    const during = receiveRig({ sources: SOURCES, world: { ...world, queue: { ...world.queue, send } } })
    for (const event of all) expect((await during.stripe(stripeEvent(event))).status).toBe(503)
    rig.at.advance(3_600_000)
    expect((await rig.run()).report).toMatchObject({
      listed: 3,
      known: 0,
      missing: all.map(({ id }) => ({ eventId: id })),
    })
    const asked = { ...rig.order, source: 'stripe', since: (NOON - 3_600_000) as CompareOrder['since'] }
    expect(await whyDoubtful(world, asked, 3)).toBeUndefined()
    expect((await rig.run({ reason: 'outage' })).report).toMatchObject({ taken: 3 })
    expect(rig.at.records.values().map(({ status, generation }) => [status, generation])).toEqual(
      all.map(() => ['queued', 0]),
    )
    expect((await rig.run()).report).toMatchObject({ known: 3, missing: [] })
  })

  it('numbers that JavaScript cannot hold are taken with all of their digits', async () => {
    const listed =
      '{"has_more":false,"data":[{"id":"evt_9","type":"a","created":1.7631e9,"amount":9007199254740993,"rate":1.10}]}'
    const rig = setUp(stripeEvents([]))
    const http: Http = async () => ({ status: 200, headers: { 'content-type': 'application/json' }, text: listed })
    const acts = actsOf({ ...rig.at.world, http, pause: async () => {} }, 'ada')
    const since = 1_763_000_000_000 as CompareOrder['since']
    const answer = await acts.compareSent({ ...rig.order, since, reason: 'outage' })
    expect(answer).toMatchObject({
      items: [{ eventId: 'evt_9', createdAt: '2025-11-14T06:00:00.000Z', state: 'taken' }],
    })
    const bodies: string[] = []
    await rig.at.deliver(async event => void bodies.push(await event.text()), rig.at.texts())
    expect(bodies).toEqual(['{"id":"evt_9","type":"a","created":1.7631e9,"amount":9007199254740993,"rate":1.10}'])
  })

  it('a webhook that comes after its event was taken is answered 200, and handled no second time', async () => {
    const [late] = events(1)
    const rig = setUp(stripeEvents(events(1)))
    await rig.run({ reason: 'outage' })
    expect(late && (await rig.at.stripe(stripeEvent(late))).status).toBe(200)
    expect(rig.at.texts()).toHaveLength(1)
  })

  it('an event that arrives while it is being taken is one event', async () => {
    const [event] = events(1)
    const rig = setUp(stripeEvents(events(1)))
    const compare: Reconciling['compare'] = async order => {
      const listed = await rig.acts.compareSent({ ...order, reason: undefined })
      if (event) await rig.at.stripe(stripeEvent(event))
      expect(listed).toMatchObject({ items: [{ state: 'missing' }] })
      return rig.acts.compareSent(order)
    }
    const { report } = await reconcile({ ...rig.desk, compare }, { ...rig.order, reason: 'outage' })
    expect(report).toMatchObject({ known: 1, taken: 0 })
    expect(rig.at.texts()).toHaveLength(1)
  })

  it('only the types that were asked for count, and only events of the stretch', async () => {
    const all = [
      ...events(3),
      { id: 'evt_other', type: 'charge.refunded', at: NOON },
      { id: 'evt_old', type: 'invoice.paid', at: NOON - 90_000_000 },
    ]
    const { run } = setUp(stripeEvents(all))
    expect((await run({ types: ['invoice.*'] })).report.listed).toBe(3)
    expect((await run({ types: ['charge.refunded'] })).report.missing).toMatchObject([{ eventId: 'evt_other' }])
  })

  it.each([
    ['of other types', { types: ['invoice.*'] }],
    ['from after the stretch', { until: (NOON - 7_200_000) as CompareOrder['since'] }],
  ])('an event behind six pages %s is found and taken', async (_, asked) => {
    const others = Array.from({ length: 600 }, (_, n) => ({ id: `evt_c${n}`, type: 'charge.updated', at: NOON - n }))
    const { run } = setUp(stripeEvents([...others, { id: 'evt_lost', type: 'invoice.paid', at: NOON - 7_200_000 }]))
    const { report, why } = await run({ ...asked, reason: 'outage' })
    expect({ why, ...report }).toMatchObject({ why: null, listed: 1, taken: 1 })
  })

  it('a list that is newest first ends with a page that is older, and not with one old event among newer ones', async () => {
    const ahead = events(150)
    const old = events(300).map(({ id, type, at }) => ({ id: `${id}_old`, type, at: at - 172_800_000 }))
    const [first, ...rest] = [...ahead, ...old]
    const listed = [first, { id: 'evt_early', type: 'invoice.paid', at: NOON - 172_800_000 }, ...rest] as StubEvent[]
    const { run, asked } = setUp(({ search }) => {
      const from = listed.findIndex(({ id }) => id === search.get('starting_after')) + 1
      return { body: { data: listed.slice(from, from + 100).map(stripeEvent), has_more: from + 100 < listed.length } }
    })
    const { report, why } = await run({ reason: 'outage' })
    expect({ why, ...report }).toMatchObject({ why: null, listed: 150, taken: 150 })
    expect(asked).toHaveLength(3)
  })

  it('clocks apart: an event that its sender dates ten minutes ahead is taken once, at the latest by the run after it', async () => {
    const rig = setUp(stripeEvents([{ id: 'evt_ahead', type: 'invoice.paid', at: NOON + 600_000 }]))
    const until = NOON as CompareOrder['since']
    expect((await rig.run({ until, reason: 'outage' })).report).toMatchObject({ taken: 0, missing: [] })
    expect((await rig.run({ reason: 'outage' })).report).toMatchObject({ listed: 1, taken: 1 })
    expect((await rig.run({ reason: 'outage' })).report).toMatchObject({ known: 1, taken: 0 })
    expect(rig.at.texts()).toHaveLength(1)
  })

  it('a source that names its events by their bytes is refused, since an API writes them in its own way', async () => {
    const { run } = setUp(stripeEvents(events(1)), { sources: { stripe: { provider: 'stripe', identity: 'body' } } })
    expect((await run()).why).toContain('names its events by their bytes')
  })

  it('a listed event without an id is counted as unknown, and holds up none of the others', async () => {
    const { run } = setUp(() => ({
      body: {
        data: [{ object: 'event', created: NOON / 1000 }, stripeEvent({ id: 'evt_1', type: 'a', at: NOON })],
        has_more: false,
      },
    }))
    expect((await run({ reason: 'outage' })).report).toMatchObject({ listed: 2, unknown: 1, taken: 1 })
  })
})

describe('reconcile on bad days of the API', () => {
  it.each([
    [
      'a wrong key',
      { status: 401, body: {} },
      'does not accept the API key (401). It needs a restricted key with read access to Events',
    ],
    ['a key that may not list', { status: 403, body: {} }, 'does not let this API key do that (403)'],
    ['an account that is not there', { status: 404, body: {} }, 'does not know what was asked for (404)'],
    [
      'a page in HTML',
      { body: '<html>Sign in</html>' },
      'is not JSON (text/html). Is a proxy or a login page in between?',
    ],
    ['a list that is elsewhere', { body: { events: [] } }, 'has no list at "data"'],
    [
      'a request that it does not take',
      { status: 400, body: { error: { message: 'Invalid limit' } } },
      'answered 400: Invalid limit',
    ],
    ['a redirect', { status: 302, headers: { location: 'https://evil.example' }, body: {} }, 'answered 302'],
  ])('%s ends it with a sentence, and nothing is taken', async (_, answer: StubAnswer, sentence) => {
    const rig = setUp(() => answer)
    const { why, report } = await rig.run({ reason: 'outage' })
    expect(why).toContain(sentence)
    expect(report).toMatchObject({ listed: 0, taken: 0 })
    expect(rig.asked).toHaveLength(1)
    expect(`${why}`).not.toContain(KEY)
  })

  it('a 429 is waited for as long as it says, and the page is asked for again', async () => {
    const calls: string[] = []
    const list = stripeEvents(events(3))
    const { run, waits } = setUp(asked =>
      calls.push(asked.path) === 1 ? { status: 429, headers: { 'retry-after': '7' }, body: {} } : list(asked),
    )
    expect((await run()).report.listed).toBe(3)
    expect(waits).toEqual([7_000])
  })

  it('429 for an hour ends it after a quarter of one, with what was found and where to go on', async () => {
    const list = stripeEvents(events(150))
    const { run, waits } = setUp(asked =>
      asked.search.has('starting_after') ? { status: 429, headers: { 'retry-after': '60' }, body: {} } : list(asked),
    )
    const { report, why } = await run()
    expect(why).toContain('asks us to slow down (429), for 60 seconds more: try again later')
    expect(report).toMatchObject({ listed: 100, next: 'evt_99' })
    expect(waits.filter(wait => wait === 60_000)).toHaveLength(15)
  })

  it('an interrupted run goes on from where it ended, and takes nothing twice', async () => {
    const all = events(150)
    let down = true
    const list = stripeEvents(all)
    const rig = setUp(asked => (down && asked.search.has('starting_after') ? { status: 500, body: {} } : list(asked)))
    const first = await rig.run({ reason: 'outage' })
    expect(first).toMatchObject({
      why: expect.stringContaining('answered 500'),
      report: { taken: 100, next: 'evt_99' },
    })
    down = false
    expect((await rig.run({ reason: 'outage', after: first.report.next })).report).toMatchObject({
      taken: 50,
      known: 0,
    })
    expect(rig.at.texts()).toHaveLength(150)
    expect((await rig.run({ reason: 'outage' })).report).toMatchObject({ known: 150, taken: 0 })
  })

  it('a list that repeats its page is left, and its events are counted once', async () => {
    const data = events(2).map(stripeEvent)
    const { run, asked } = setUp(() => ({ body: { data, has_more: true } }))
    const { why, report } = await run({ reason: 'outage' })
    expect(why).toContain('repeats itself')
    expect(report).toMatchObject({ listed: 2, taken: 2 })
    expect(asked.length).toBeLessThan(5)
  })

  it('a list that never ends is left after its most pages', async () => {
    let number = 0
    const rig = setUp(() => ({
      body: { data: [stripeEvent({ id: `evt_${number++}`, type: 'a', at: NOON })], has_more: true },
    }))
    const { why } = await reconcile({ ...rig.desk, mostPages: 20 }, rig.order)
    expect(why).toContain('does not end: 20 pages')
  })

  it.each([
    ['nothing', []],
    ['the same events', [{ id: 'EV1', created_at: new Date(NOON).toISOString(), resource_type: 'payments' }]],
  ])('a list that goes on with %s under new cursors is left', async (_, items) => {
    let number = 0
    const api = () => ({ body: { events: items, meta: { cursors: { after: `EV_${number++}` } } } })
    const { run, asked } = setUp(api, { sources: { gocardless: { provider: 'gocardless' } } })
    const { why, resumable } = await run({ source: 'gocardless', types: ['none'] })
    expect({ why, resumable }).toEqual({ why: 'The list of the sender repeats itself', resumable: false })
    expect(asked.length).toBeLessThan(7)
  })

  it('a stack of an older version, which tells only of what was asked for, is read to the end of the list', async () => {
    const rig = setUp(stripeEvents(events(250)))
    const compare: Reconciling['compare'] = async order => {
      const answer = await rig.acts.compareSent(order)
      if (answer.kind !== 'compared') return answer
      const { digests: _, ...older } = answer
      return older
    }
    expect(await reconcile({ ...rig.desk, compare }, rig.order)).toMatchObject({ why: null, report: { listed: 250 } })
  })

  it('a list whose order changes while it is read is told whole, each event once', async () => {
    const all = events(150)
    const list = stripeEvents(all)
    // Between the two pages a newer event comes: a list by position would show one twice.
    const { run } = setUp(asked => {
      const answer = list(asked)
      if (!asked.search.has('starting_after')) return answer
      const { data, ...rest } = answer.body as { data: unknown[] }
      return { body: { ...rest, data: [stripeEvent(all[99] as StubEvent), ...data].reverse() } }
    })
    expect((await run()).report).toMatchObject({ listed: 150, next: null })
  })

  it('a store that fails while events are taken loses none of them: they are taken by the next run', async () => {
    const rig = setUp(stripeEvents(events(5)))
    let fails = true
    const { send } = rig.at.world.queue
    const queue = {
      ...rig.at.world.queue,
      send: (...given: Parameters<typeof send>) =>
        fails ? Promise.resolve({ kind: 'refused', cause: 'down' } as const) : send(...given),
    }
    const acts = actsOf({ ...rig.at.world, queue, http: httpOf(stripeEvents(events(5))), pause: async () => {} }, 'ada')
    const desk = { ...rig.desk, compare: acts.compareSent }
    expect((await reconcile(desk, { ...rig.order, reason: 'outage' })).why).toContain('queue: down')
    fails = false
    rig.at.advance(60_000)
    await reconcile(desk, { ...rig.order, reason: 'outage' })
    await rig.at.recover()
    rig.at.advance(300_000)
    await rig.at.recover()
    expect(new Set(rig.at.messages().map(({ eventId }) => eventId)).size).toBe(5)
  })
})

describe('reconcile with redelivery', () => {
  it('GitHub is asked to deliver again what never arrived, once each, and by the hook that has our URL', async () => {
    const deliveries = ['a', 'b', 'c'].map((guid, number) => ({
      id: `guid-${guid}`,
      type: 'push',
      at: NOON - number * 1_000,
      delivery: 100 + number,
    }))
    const redelivered: number[] = []
    const again = [...deliveries, { ...deliveries[0], delivery: 90 } as (typeof deliveries)[number]]
    const rig = setUp(
      githubDeliveries(
        again,
        { id: 4711, url: URL_OF_OURS, repository: 'acme/shop' },
        async ({ delivery }) => void redelivered.push(delivery),
      ),
    )
    const order = { source: 'github', apiKey: 'github_pat_stub' }
    const listed = await rig.run(order)
    expect(listed.why).toBeNull()
    expect(listed.report).toMatchObject({ listed: 3, known: 0, missing: [{ eventId: 'guid-a', type: 'push' }, {}, {}] })
    expect((await rig.run({ ...order, reason: 'outage' })).report).toMatchObject({ redelivered: 3, taken: 0 })
    expect(redelivered).toEqual([100, 101, 102])
    expect(rig.at.texts()).toEqual([])
  })

  it('a page that takes longer than one call of the function goes on with the next, and asks for nothing twice', async () => {
    const deliveries = Array.from({ length: 60 }, (_, number) => ({
      id: `guid-${number}`,
      type: 'push',
      at: NOON - number * 1_000,
      delivery: number,
    }))
    const redelivered: number[] = []
    const hook = { id: 4711, url: URL_OF_OURS, repository: 'acme/shop' }
    const rig = setUp(githubDeliveries(deliveries, hook, async ({ delivery }) => void redelivered.push(delivery)))
    let calls = 0
    // Its time is over at once: each call asks for one redelivery.
    const compare: Reconciling['compare'] = order => {
      calls += 1
      return rig.acts.compareSent(order, AbortSignal.abort())
    }
    const order = { ...rig.order, source: 'github', apiKey: 'github_pat_stub', reason: 'outage' }
    const { report, why } = await reconcile({ ...rig.desk, compare }, order)
    expect({ why, redelivered: report.redelivered }).toEqual({ why: null, redelivered: 60 })
    expect(redelivered).toEqual(deliveries.map(({ delivery }) => delivery))
    expect(calls).toBe(61)
  })

  it('a repository without a hook of our URL is said so', async () => {
    const rig = setUp(
      githubDeliveries([], { id: 1, url: 'https://other.example', repository: 'acme/shop' }, async () => {}),
    )
    expect((await rig.run({ source: 'github', apiKey: 'github_pat_stub' })).why).toContain(
      `no endpoint with the URL ${URL_OF_OURS}`,
    )
  })

  it('a GitHub source without an account is told which ones there are', async () => {
    const rig = setUp(() => ({ body: [] }), { sources: { github: { provider: 'github' } } })
    expect((await rig.run({ source: 'github' })).why).toMatch(/the repository, such as acme\/shop; or the organisation/)
    expect(rig.asked).toEqual([])
  })
})
