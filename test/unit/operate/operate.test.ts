import { describe, expect, it } from 'vitest'
import type { CallerAnswer } from '../../../functions/domain/caller-proof.ts'
import { operate } from '../../../functions/operate/operate.ts'
import { operateLine } from '../../../functions/operate/operate-line.ts'
import { MOST_REASON } from '../../../functions/operate/read-request.ts'
import { functionActs } from '../../../lib/connect/function-acts.ts'
import { NOON } from '../../support/events.ts'
import { httpOf } from '../../support/stub-api.ts'
import { wholeRig } from '../../support/whole-rig.ts'

const ADA = 'arn:aws:iam::123456789012:user/ada'
const PROOF = { authorization: 'of ada', date: '20261116T120000Z' }
const BOUNDS = { account: '123456789012', stop: new AbortController().signal }

const nobody = () => Promise.reject(new Error('no API was to be called'))

/** The operate function over a receiver whose events are done. Who its caller is, STS would say. */
const setUp = async ({ events = 1, caller = { kind: 'known', arn: ADA } as CallerAnswer } = {}) => {
  const at = wholeRig({ sources: { stripe: { provider: 'stripe', quarantine: true } } })
  for (let number = 0; number < events; number += 1) await at.stripe({ id: `evt_${number}`, type: 'invoice.paid' })
  await at.deliver(async () => {}, at.texts())
  at.advance(1_000)
  const world = { ...at.world, callers: { identify: async () => caller }, http: nobody }
  const ask = (command: unknown, bounds = BOUNDS) =>
    operate(world, { command: JSON.stringify(command), proof: PROOF }, bounds)
  const id = at.records.values()[0]?.fingerprint ?? ''
  const audits = () => at.world.replays.recent(NOON, at.world.now(), 100)
  const sent = at.texts().length
  return { at, world, ask, id, audits, replayed: () => at.texts().length - sent }
}

const NOTE = {
  act: 'note-comparison',
  ...{ source: 'stripe', since: 0, until: 1, why: null },
  ...{ listed: 5, known: 3, missing: 2, taken: 1, redelivered: 0, unknown: 0 },
}
const FILTER = { from: NOON, until: NOON + 86_400_000 }

describe('the operate function', () => {
  it('a replay is recorded under the name that STS tells, and not under one that the caller writes', async () => {
    const { ask, id, audits, replayed } = await setUp()
    const command = { act: 'replay', id, onlyFailed: false, reason: 'fixed', actor: 'eve', job: 'none' }
    expect(await ask(command)).toEqual({
      kind: 'answered',
      actor: ADA,
      answer: { kind: 'replayed', id, generation: 1, queued: true },
    })
    expect(await audits()).toMatchObject([{ actor: ADA, reason: 'fixed', job: null, fingerprint: id }])
    expect(replayed()).toBe(1)
  })

  it('erasing is done by the alias for it and by no other name, and nothing else is done by that alias', async () => {
    const { ask, id, at, audits } = await setUp()
    const alias = { ...BOUNDS, byEraseDoor: true }
    const command = { act: 'erase', id, reason: 'ticket 4711' }
    expect(await ask(command)).toMatchObject({ kind: 'refused', why: expect.stringContaining('`erase`') })
    expect(await ask({ act: 'replay', id, onlyFailed: false, reason: 'x' }, alias)).toMatchObject({ kind: 'refused' })
    expect(at.records.values()[0]?.erasedAt).toBeUndefined()
    expect(await ask(command, alias)).toMatchObject({ kind: 'answered', actor: ADA, answer: { kind: 'erased', id } })
    expect(at.records.values()[0]?.erasedAt).toBeDefined()
    expect(await audits()).toMatchObject([{ act: 'erase', actor: ADA, reason: 'ticket 4711' }])
  })

  it('a job that erases reaches what is replayed before it gets there, and says how many of that are in flight', async () => {
    const { ask, at } = await setUp({ events: 3 })
    const alias = { ...BOUNDS, byEraseDoor: true }
    const begun = { act: 'start-erase', source: 'stripe', before: NOON + 86_400_000, reason: 'retention', expected: 3 }
    const { answer: job } = (await ask(begun, alias)) as { answer: { id: string } }
    at.advance(60_000)
    const [ended, underWay] = at.records
      .values()
      .map(({ fingerprint: id }) => ({ act: 'replay', id, onlyFailed: false }))
    await ask({ ...ended, reason: 'before' })
    await at.deliver(async () => {}, at.texts().slice(-1))
    await ask({ ...underWay, reason: 'before' })
    at.advance(60_000)
    expect(await ask({ act: 'run-erase', job: job.id }, alias)).toMatchObject({
      answer: { kind: 'finished', job: { replayed: 2, refused: { 'in-flight': 1 } } },
    })
    expect(at.records.values().filter(({ erasedAt }) => erasedAt !== undefined)).toHaveLength(2)
  })

  it('a job that erases is run by its own act, and a replay job is not', async () => {
    const { ask, at } = await setUp({ events: 3 })
    const alias = { ...BOUNDS, byEraseDoor: true }
    const begun = { act: 'start-erase', source: 'stripe', before: NOON + 86_400_000, reason: 'retention', expected: 3 }
    const { answer: job } = (await ask({ ...begun, rate: 100 }, alias)) as unknown as { answer: { id: string } }
    expect(await ask({ act: 'run-job', job: job.id })).toMatchObject({ answer: { kind: 'unknown' } })
    expect(await ask({ act: 'run-erase', job: job.id }, alias)).toMatchObject({
      answer: { kind: 'finished', job: { act: 'erase', replayed: 3, refused: {} } },
    })
    expect(at.records.values().every(({ erasedAt }) => erasedAt !== undefined)).toBe(true)
  })

  it.each<CallerAnswer>([
    { kind: 'refused', why: 'nobody' },
    { kind: 'unavailable', cause: 'STS answered 503' },
  ])('if the caller is %j, nothing is written and nothing is sent', async caller => {
    const { ask, id, audits, replayed, at } = await setUp({ caller })
    const before = at.records.values()
    expect((await ask({ act: 'replay', id, onlyFailed: false, reason: 'fixed' })).kind).toBe('refused')
    expect({ audits: await audits(), replayed: replayed() }).toEqual({ audits: [], replayed: 0 })
    expect(at.records.values()).toEqual(before)
  })

  it.each([
    ['no act', {}],
    ['an act that is none', { act: 'toString' }],
    ['an id that is none', { act: 'replay', id: 'audit#1', onlyFailed: false, reason: 'fixed' }],
    ['no reason', { act: 'replay', id: 'f'.repeat(64), onlyFailed: false }],
    ['an empty reason', { act: 'replay', id: 'f'.repeat(64), onlyFailed: false, reason: ' ' }],
    ['a long reason', { act: 'replay', id: 'f'.repeat(64), onlyFailed: false, reason: 'x'.repeat(MOST_REASON + 1) }],
    [
      'a generation that is none',
      { act: 'replay', id: 'f'.repeat(64), onlyFailed: false, reason: 'x', generation: -1 },
    ],
    ['a rate above the limit', { act: 'start-job', filter: FILTER, reason: 'x', expected: 1, rate: 101 }],
    [
      'a filter of another kind',
      { act: 'start-job', filter: { ...FILTER, status: 'queued' }, reason: 'x', expected: 1 },
    ],
    ['a count that is none', { ...NOTE, missing: '2' }],
    ['a sentence that is too long', { ...NOTE, why: 'x'.repeat(1_001) }],
    ['a job that is no text', { act: 'run-job', job: { $ne: '' } }],
    ['no key', { act: 'accept', source: 'stripe', reason: 'x' }],
    [
      'no API key',
      { act: 'compare-sent', source: 'stripe', since: 0, types: [], after: null, url: 'u', rate: 1, except: [] },
    ],
  ])('a command with %s is refused before anybody is asked who it is from', async (_, command) => {
    const { world } = await setUp()
    const identify = () => Promise.reject(new Error('was asked'))
    const asked = operate(
      { ...world, callers: { identify } },
      { command: JSON.stringify(command), proof: PROOF },
      BOUNDS,
    )
    expect(await asked).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('is missing or not what it should be'),
    })
  })

  it.each([undefined, null, 'text', {}, { command: 'no JSON', proof: PROOF }, { command: '{}', proof: null }])(
    'the payload %j is refused',
    async payload => {
      const { world } = await setUp()
      expect((await operate(world, payload, BOUNDS)).kind).toBe('refused')
    },
  )

  it('a quarantined delivery is verified and accepted by the function, in the name of its caller', async () => {
    const { at, ask, audits } = await setUp()
    await at.stripe({ id: 'evt_late', type: 'invoice.paid' }, { secret: 'whsec_next_0123456789abcdef01' })
    const [kept] = await at.world.deliveries.list('quarantine', 'stripe', NOON, at.world.now(), 10)
    const named = { source: 'stripe', key: kept?.key }
    expect(await ask({ act: 'verify', ...named })).toMatchObject({ answer: { kind: 'distrusted' } })
    at.memory.setSecrets({ stripe: ['whsec_next_0123456789abcdef01'] })
    at.advance(5 * 60_000)
    expect(await ask({ act: 'verify', ...named })).toMatchObject({ answer: { kind: 'genuine' } })
    expect(await ask({ act: 'accept', ...named, reason: 'late' })).toMatchObject({ answer: { outcome: 'accepted' } })
    expect(await audits()).toMatchObject([{ act: 'accept', actor: ADA, reason: 'late' }])
  })

  it("a sender's list is compared and taken by the function, with the host and the account that it was deployed with", async () => {
    const { at, world, audits } = await setUp({ events: 1 })
    const hosts: string[] = []
    const digest = expect.stringMatching(/^[\da-f]{12}$/)
    const listed = ['evt_0', 'evt_never_came'].map(id => ({ id, type: 'invoice.paid', created: NOON / 1000 }))
    const http = httpOf(({ host, headers }) => {
      hosts.push(`${host} ${headers.authorization}`)
      return { body: { data: listed, has_more: false } }
    })
    const order = {
      source: 'stripe',
      since: NOON - 60_000,
      types: [],
      after: null,
      url: 'https://u',
      rate: 5,
      except: [],
    }
    const elsewhere = { origin: 'https://evil.example', account: 'evil' }
    const command = { act: 'compare-sent', ...order, ...elsewhere, apiKey: 'rk_live_secret', reason: 'outage' }
    const payload = { command: JSON.stringify(command), proof: PROOF }
    const reply = await operate({ ...world, http }, payload, BOUNDS)
    expect(reply).toMatchObject({ actor: ADA, answer: { items: [{ state: 'known' }, { state: 'taken' }], next: null } })
    expect(JSON.parse(JSON.stringify(reply))).toMatchObject({ answer: { digests: [digest, digest] } })
    expect(hosts).toEqual(['api.stripe.com Bearer rk_live_secret'])
    expect(await audits()).toMatchObject([{ act: 'reconcile', actor: ADA, reason: 'outage' }])
    expect(at.messages().at(-1)).toMatchObject({ eventId: 'evt_never_came', via: 'reconcile' })
    const line = operateLine('test', payload, reply, NOON)
    expect(line).toContain('compare-sent')
    expect(line + JSON.stringify(reply)).not.toContain('rk_live_secret')
  })

  it('a comparison is noted in the name of its caller, at the time of the function', async () => {
    const { at, ask } = await setUp()
    const counts = { listed: 5, known: 3, missing: 2, taken: 1, redelivered: 0, unknown: 0 }
    const comparison = { source: 'stripe', since: NOON - 60_000, until: NOON, why: null, ...counts }
    const forged = { actor: 'somebody else', at: 0 }
    expect(await ask({ act: 'note-comparison', ...comparison, ...forged })).toMatchObject({ answer: { kind: 'noted' } })
    const noted = await at.world.reconciler.last('stripe')
    expect(noted).toEqual({ ...comparison, actor: ADA, at: at.world.now() })
  })

  it('the line of a command says who wanted what and what came of it, and holds no proof', async () => {
    const { ask, id } = await setUp()
    const payload = { command: JSON.stringify({ act: 'replay', id, onlyFailed: false, reason: 'fixed' }), proof: PROOF }
    const line = operateLine('test', payload, await ask(JSON.parse(payload.command)), NOON)
    expect(JSON.parse(line)).toMatchObject({ operate: { act: 'replay', id }, actor: ADA, answer: 'replayed' })
    expect(line).not.toContain(PROOF.authorization)
  })

  it('the line of a command that AWS refused says what there is no permission for', async () => {
    const command = { act: 'replay', id: 'f'.repeat(64), onlyFailed: false, reason: 'fixed' }
    const answer = { kind: 'unavailable', cause: 'AccessDenied: no permission for sqs:SendMessage on q' }
    const payload = { command: JSON.stringify(command), proof: PROOF }
    expect(operateLine('test', payload, { kind: 'answered', actor: ADA, answer }, NOON)).toContain(answer.cause)
  })
})

describe('a job of a stack', () => {
  const started = async (events: number) => {
    const rig = await setUp({ events })
    const stopped = AbortSignal.abort()
    const shares: unknown[] = []
    const ask = async (command: unknown) => {
      // Each share has time for a single event.
      const share = new AbortController()
      const send = rig.at.world.queue.send
      const queue = {
        ...rig.at.world.queue,
        send: (...given: Parameters<typeof send>) => {
          share.abort()
          return send(...given)
        },
      }
      const payload = { command: JSON.stringify(command), proof: PROOF }
      const reply = await operate({ ...rig.world, queue }, payload, { ...BOUNDS, stop: share.signal })
      shares.push(command)
      return reply.kind === 'answered' ? JSON.parse(JSON.stringify(reply.answer)) : Promise.reject(new Error(reply.why))
    }
    const acts = functionActs(ask)
    const job = await acts.startJob({ filter: FILTER as never, reason: 'fixed', expected: events, rate: 10 })
    return { ...rig, acts, job, shares, stopped }
  }

  it('a job is run share by share to its end, and each event is replayed once, in the name of the caller', async () => {
    const { acts, job, shares, replayed, audits } = await started(3)
    const seen: number[] = []
    expect(await acts.replayMany(job.id, { onProgress: ({ replayed: count }) => seen.push(count) })).toMatchObject({
      kind: 'finished',
      job: { replayed: 3, actor: ADA },
    })
    expect(seen).toEqual([1, 2, 3])
    expect(shares).toHaveLength(4)
    expect(replayed()).toBe(3)
    expect(await audits()).toMatchObject([1, 2, 3].map(() => ({ actor: ADA, job: job.id })))
  })

  it('a job that is told to stop ends with the share that runs, and the rest is left for later', async () => {
    const { acts, job, stopped, replayed } = await started(3)
    expect(await acts.replayMany(job.id, { stop: stopped })).toMatchObject({ kind: 'stopped', job: { replayed: 1 } })
    expect(replayed()).toBe(1)
    expect(await acts.cancelJob(job.id)).toMatchObject({ state: 'cancelled', replayed: 1 })
    expect(await acts.replayMany(job.id)).toMatchObject({ kind: 'cancelled' })
    expect(await acts.replayMany('nothing')).toEqual({ kind: 'unknown' })
    expect(await acts.cancelJob('nothing')).toBeUndefined()
  })

  it('a share that is over before it found an event goes on behind what it has looked at', async () => {
    const { world, acts } = await setUp({ events: 250 }).then(async rig => ({
      ...rig,
      acts: functionActs(async command => {
        const payload = { command: JSON.stringify(command), proof: PROOF }
        const reply = await operate(rig.world, payload, { ...BOUNDS, stop: AbortSignal.abort() })
        return reply.kind === 'answered' ? (reply.answer as never) : Promise.reject(new Error(reply.why))
      }),
    }))
    const filter = { ...FILTER, type: 'nothing.of.this' } as never
    const { id } = await acts.startJob({ filter, reason: 'fixed', expected: 0 })
    expect(await acts.replayMany(id)).toMatchObject({ kind: 'finished', job: { replayed: 0 } })
    expect((await world.jobs.read(id))?.state).toBe('finished')
  })
})
