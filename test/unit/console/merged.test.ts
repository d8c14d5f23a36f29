import { describe, expect, it } from 'vitest'
import type { Fingerprint } from '../../../functions/domain/brands.ts'
import { merged } from '../../../lib/console/page/merged.ts'
import type { ListedEvent } from '../../../lib/console/wanted.ts'

const event = (id: string, seconds: number, fields: Partial<ListedEvent> = {}): ListedEvent => ({
  id: id as Fingerprint,
  eventId: id,
  source: 'stripe',
  type: 'invoice.paid',
  status: 'queued',
  destination: 'worker',
  generation: 0,
  attempts: 1,
  firstSeenAt: '2026-11-15T12:00:00.000Z',
  updatedAt: '2026-11-15T12:00:00.000Z',
  via: null,
  destinations: ['worker'],
  claimedAt: `2026-11-15T12:00:${String(seconds).padStart(2, '0')}.000Z`,
  ...fields,
})
const ANY = { source: '', status: '', type: '', destination: '', q: '' }
const ids = (events: readonly ListedEvent[]): string[] => events.map(({ id }) => id)

describe('the list as changes come in', () => {
  const before = [event('c', 30), event('b', 20), event('a', 10)]

  it('new events are added on top of the list, and changed ones stay where they are', () => {
    const after = merged(before, [event('b', 20, { status: 'done' }), event('d', 40)], ANY, false)
    expect(ids(after)).toEqual(['d', 'c', 'b', 'a'])
    expect(after[2]?.status).toBe('done')
  })

  it('a replayed event moves to the top of the list, once', () => {
    expect(ids(merged(before, [event('a', 50, { generation: 1 })], ANY, false))).toEqual(['a', 'c', 'b'])
  })

  it('an event that no longer matches the filter leaves the list, and one that never did is not added', () => {
    const wanted = { ...ANY, status: 'queued' }
    const changes = [event('b', 20, { status: 'done' }), event('d', 40, { status: 'failed' })]
    expect(ids(merged(before, changes, wanted, false))).toEqual(['c', 'a'])
  })

  it('an event of a page that is not loaded yet is not added to the list', () => {
    expect(ids(merged(before, [event('z', 5)], ANY, true))).toEqual(['c', 'b', 'a'])
    expect(ids(merged(before, [event('z', 5)], ANY, false))).toEqual(['c', 'b', 'a', 'z'])
  })
})
