import { describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import type { ListComparison } from '../../../functions/domain/reconciler.ts'
import { checkComparisons } from '../../../lib/cli/checks/check-comparisons.ts'
import type { Connection } from '../../../lib/connect/connection.ts'
import { wholeRig } from '../../support/whole-rig.ts'

const COMPARED: ListComparison = {
  source: 'stripe',
  at: millis(Date.parse('2026-11-16T12:00:00Z')),
  since: millis(Date.parse('2026-11-16T06:00:00Z')),
  until: millis(Date.parse('2026-11-16T11:55:00Z')),
  actor: 'the schedule',
  why: null,
  listed: 5,
  known: 3,
  missing: 2,
  taken: 2,
  redelivered: 0,
  unknown: 0,
}

/** What doctor says of two sources, of which one has a schedule, after this comparison. */
const saysAfter = async (noted?: Partial<ListComparison>) => {
  const { world, memory } = wholeRig({
    sources: {
      stripe: { provider: 'stripe', reconcile: { every: '1h', back: '6h' } },
      github: { provider: 'github', account: 'acme/shop' },
    },
  })
  if (noted) await world.reconciler.note({ ...COMPARED, ...noted })
  const connection = { stores: memory.stores } as unknown as Connection
  return checkComparisons({ connection, sources: world.sources })
}

const LAST = "last compared with its sender's list at 2026-11-16T12:00:00.000Z"
const DRY_RUN = 'npx hooklatch reconcile stripe --dry-run'

describe('doctor and comparisons', () => {
  it('doctor warns of a source with a schedule that was never compared, and of no other', async () => {
    const says = "it was never compared with its sender's list"
    const fix = 'npx hooklatch secrets set stripe --api-key'
    expect(await saysAfter()).toEqual([{ level: 'warning', subject: 'stripe', says, fix }])
  })

  it.each([
    ['all that was missing was taken', {}, 'ok', '5 listed, 2 missing, 2 taken', null],
    ['it was delivered again', { taken: 1, redelivered: 1 }, 'ok', '5 listed, 2 missing, 2 taken', null],
    ['something missing is left', { taken: 1 }, 'warning', '5 listed, 2 missing, 1 taken', DRY_RUN],
    ['the list was not read', { why: 'no key' }, 'warning', '5 listed, 2 missing, 2 taken; no key', DRY_RUN],
  ])('doctor says when a source was last compared: %s', async (_, noted, level, counts, fix) => {
    expect(await saysAfter(noted)).toEqual([{ level, subject: 'stripe', says: `${LAST}: ${counts}`, fix }])
  })

  it('doctor tells of a source without a schedule that somebody has compared', async () => {
    expect(await saysAfter({ source: 'github', actor: 'ada' })).toMatchObject([
      { level: 'warning', subject: 'stripe' },
      { level: 'ok', subject: 'github', says: `${LAST}: 5 listed, 2 missing, 2 taken` },
    ])
  })
})
