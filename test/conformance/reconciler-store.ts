import { expect, it } from 'vitest'
import { type Fence, millis } from '../../functions/domain/brands.ts'
import type { ListComparison, ReconcilerState, ReconcilerStore } from '../../functions/domain/reconciler.ts'
import { NOON } from '../support/events.ts'

const comparison = (fields: Partial<ListComparison> = {}): ListComparison => ({
  source: 'stripe',
  at: NOON,
  since: millis(NOON - 3_600_000),
  until: NOON,
  actor: 'ada',
  why: null,
  listed: 5,
  known: 3,
  missing: 2,
  taken: 2,
  redelivered: 0,
  unknown: 0,
  ...fields,
})

const lease = (fence: string, now: number) => ({
  fence: fence as Fence,
  now: millis(now),
  leaseUntil: millis(now + 60_000),
})

const STATE: ReconcilerState = {
  sources: { stripe: { startedAt: NOON, comparedUntil: null, pass: null } },
  senders: { stripe: { hour: NOON, calls: 3, notBefore: NOON } },
}

/** The law of comparisons, and of the one run that makes them by itself. */
export const reconcilerStoreLaw = (open: () => Promise<ReconcilerStore>): void => {
  it('the latest comparison of a source counts, for that source alone', async () => {
    const store = await open()
    expect(await store.last('stripe')).toBeUndefined()
    const later = comparison({ at: millis(NOON + 1), missing: 0 })
    await store.note(later)
    expect(await store.note(comparison())).toEqual({ kind: 'noted' })
    expect(await store.last('stripe')).toEqual(later)
    expect(await store.last('stripe2')).toBeUndefined()
  })

  it('a run that never began saves nothing', async () => {
    const store = await open()
    expect(await store.save(lease('a', NOON), STATE)).toBe(false)
    expect(await store.begin(lease('b', NOON))).toEqual({ sources: {}, senders: {} })
  })

  it('one run at a time: another begins when the lease of the first has passed, and goes on with what it left', async () => {
    const store = await open()
    expect(await store.begin(lease('a', NOON))).toEqual({ sources: {}, senders: {} })
    expect(await store.begin(lease('b', NOON + 59_999))).toBeUndefined()
    expect(await store.save(lease('a', NOON + 50_000), STATE)).toBe(true)
    expect(await store.begin(lease('b', NOON + 60_000))).toBeUndefined()
    expect(await store.begin(lease('b', NOON + 110_000))).toEqual(STATE)
    expect(await store.save(lease('a', NOON + 110_001), { sources: {}, senders: {} })).toBe(false)
    expect(await store.begin(lease('b', NOON + 110_002))).toEqual(STATE)
  })
}
