import { describe, expect, it } from 'vitest'
import { type Millis, millis } from '../../../functions/domain/brands.ts'
import { actsOf } from '../../../functions/operate/acts.ts'
import { replay } from '../../../functions/operate/replay.ts'
import { reconcileSource } from '../../../lib/cli/steps/reconcile-source.ts'
import { list } from '../../../lib/operator/list.ts'
import type { Operator } from '../../../lib/operator/open-operator.ts'
import type { Terminal } from '../../../lib/terminal/terminal.ts'
import { NOON } from '../../support/events.ts'
import { type StubEvent, stripeEvent, stripeEvents } from '../../support/sender-stubs.ts'
import { httpOf } from '../../support/stub-api.ts'
import { wholeRig } from '../../support/whole-rig.ts'

const HOUR = 3_600_000
const LATER = NOON + 24 * HOUR

const events = (name: string, count: number, at: number): readonly StubEvent[] =>
  Array.from({ length: count }, (_, number) => ({ id: `evt_${name}_${number}`, type: 'invoice.paid', at: at + number }))

/** A day after an event came, three are missing; those that came yesterday have been replayed today. */
const setUp = async ({ yesterday, today }: { yesterday: number; today: number }) => {
  const at = wholeRig({ sources: { stripe: { provider: 'stripe' } } })
  const receive = async (sent: readonly StubEvent[]): Promise<void> => {
    for (const event of sent) expect((await at.stripe(stripeEvent(event))).status).toBe(202)
    await at.deliver(() => {}, at.texts().slice(-sent.length))
  }
  await receive(events('old', yesterday, NOON))
  const old = at.records.values()
  at.advance(24 * HOUR)
  if (today > 0) await receive(events('unlisted', today, LATER))
  at.advance(60_000)
  for (const { fingerprint: id } of old) {
    expect(await replay(at.world, { id, actor: 'ada', reason: 'x', job: null })).toMatchObject({ kind: 'replayed' })
  }
  await at.deliver(() => {}, at.texts().slice(-yesterday))
  at.advance(60_000)
  const http = httpOf(stripeEvents([...events('missing', 3, LATER), ...events('older', 2, NOON)]))
  const { now } = at.world
  const operator = {
    ...actsOf({ ...at.world, http, pause: async () => {} }, 'ada'),
    ...{ now, list: (query: Parameters<Operator['list']>[0]) => list(at.world.records, { ...query, now: now() }) },
  } as unknown as Operator
  const said: string[] = []
  const say: Terminal['out'] = text => void said.push([text].flat().join('\n'))
  const { signal } = new AbortController()
  const terminal: Terminal = { out: say, err: say, style: (_, text) => text, interactive: false, closed: signal }
  const order = { source: 'stripe', apiKey: 'rk_test_reconcile', since: millis(LATER - HOUR), types: [], after: null }
  const run = (span: { since?: Millis; until?: Millis } = {}) =>
    reconcileSource(
      operator,
      { ...order, ...span, url: 'https://x.example', rate: 1_000, except: [] },
      { reason: 'outage', yes: true, json: true, dryRun: false, stop: signal },
      terminal,
    )
  return { run, said }
}

describe('reconcile, if none of the list is known', () => {
  it('what is missing is taken although an old event was replayed in that time', async () => {
    const { run, said } = await setUp({ yesterday: 1, today: 0 })
    expect(await run()).toBe(0)
    expect(JSON.parse(said.join('\n'))).toMatchObject({ known: 0, taken: 3 })
  })

  it('what is missing is taken although an earlier part of the list was taken in that time', async () => {
    const { run, said } = await setUp({ yesterday: 0, today: 0 })
    expect(await run({ since: millis(NOON - HOUR), until: millis(NOON + HOUR) })).toBe(0)
    expect(JSON.parse(said.splice(0).join('\n'))).toMatchObject({ known: 0, taken: 2 })
    expect(await run()).toBe(0)
    expect(JSON.parse(said.join('\n'))).toMatchObject({ known: 0, taken: 3 })
  })

  it('nothing is taken if an event came in that time, however many were replayed after it', async () => {
    const { run, said } = await setUp({ yesterday: 101, today: 1 })
    expect(await run()).toBe(3)
    expect(said[0]).toContain('None of the 3 that the sender lists is known here')
    expect(JSON.parse(said[1] ?? '')).toMatchObject({ known: 0, taken: 0 })
  })
})
