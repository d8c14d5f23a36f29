import { describe, expect, it } from 'vitest'
import { type Fingerprint, millis, seconds } from '../../../functions/domain/brands.ts'
import { sha256 } from '../../../functions/domain/identity.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import { list } from '../../../lib/operator/list.ts'
import { show } from '../../../lib/operator/show.ts'
import { claimedRecord } from '../../support/events.ts'
import { memoryRig } from '../../support/memory-rig.ts'

const NOW = millis(Date.parse('2026-11-16T12:00:00Z'))
const FROM = millis(NOW - 3_600_000)

const record = (number: number, more: Partial<EventRecord> = {}): EventRecord =>
  claimedRecord(millis(NOW - 60_000 + number), {
    fingerprint: number.toString(16).padStart(64, '0') as Fingerprint,
    source: number % 2 === 0 ? 'even' : 'odd',
    eventId: `evt_${number}`,
    ...more,
  })

/** No operator has acted, and no function has written a line. */
const storesWith = (...records: EventRecord[]) => {
  const memory = memoryRig({ now: () => NOW })
  for (const each of records) memory.records.set(each)
  return { ...memory.stores, lines: { lines: async function* () {} } }
}

describe('a list of events', () => {
  it('a list of events is newest first, and its pages have each event once, filtered or not', async () => {
    const { records } = storesWith(...Array.from({ length: 11 }, (_, number) => record(number)))
    const walk = async (source?: string) => {
      const pages: string[][] = []
      let after: string | undefined
      do {
        const page = await list(records, { limit: 2, now: NOW, from: FROM, source, after })
        pages.push(page.events.map(event => event.eventId))
        after = page.next ?? undefined
      } while (after !== undefined)
      return pages.flat()
    }
    expect(await walk()).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map(number => `evt_${number}`))
    expect(await walk('odd')).toEqual(['evt_9', 'evt_7', 'evt_5', 'evt_3', 'evt_1'])
    expect(await walk('none')).toEqual([])
  })

  it('a filtered page ends at the last event it shows, not at the last it read', async () => {
    const { records } = storesWith(record(1), record(3), record(4), record(5))
    const page = await list(records, { limit: 3, now: NOW, from: FROM, source: 'odd' })
    expect(page.events.map(event => event.eventId)).toEqual(['evt_5', 'evt_3', 'evt_1'])
    const first = await list(records, { limit: 1, now: NOW, from: FROM, source: 'odd' })
    const second = await list(records, { limit: 1, now: NOW, from: FROM, source: 'odd', after: first.next ?? '' })
    expect([...first.events, ...second.events].map(event => event.eventId)).toEqual(['evt_5', 'evt_3'])
  })
})

describe('one event', () => {
  const text = new TextEncoder().encode('{"é":1}')
  const binary = Uint8Array.of(0xff, 0x00)

  it.each([
    ['as text', text, { body: '{"é":1}', bodyEncoding: 'utf8' }],
    ['in base64', binary, { body: '/wA=', bodyEncoding: 'base64' }],
  ])("an event is found by its id and by its sender's id, its body %s", async (_, bytes, expected) => {
    const { fingerprint } = record(1)
    const kept = {
      fingerprint,
      sha256: sha256(bytes),
      bytes,
      eventId: 'evt_1',
      headers: { 'content-type': 'x' },
      ordering: null,
    }
    const stores = storesWith(record(1, { bodySha256: kept.sha256, bodyAt: 'dynamodb' }))
    await stores.bodies.keep(kept, NOW, seconds(NOW / 1000 + 60))
    const byId = await show(stores, { id: fingerprint, now: NOW, from: FROM })
    expect(byId).toMatchObject({ id: fingerprint, eventId: 'evt_1', headers: { 'content-type': 'x' }, ...expected })
    expect(await show(stores, { id: 'evt_1', now: NOW, from: FROM })).toEqual(byId)
    expect(await show(stores, { id: fingerprint.slice(0, 12), now: NOW, from: FROM })).toEqual(byId)
  })

  it('an event without a kept body says so, and an unknown event is absent', async () => {
    const stores = storesWith(record(1), record(2, { eventId: 'evt_1' }))
    expect(await show(stores, { id: 'evt_1', now: NOW, from: FROM })).toMatchObject({ source: 'even', body: null })
    expect(await show(stores, { id: 'evt_1', source: 'odd', now: NOW, from: FROM })).toMatchObject({ source: 'odd' })
    expect(await show(stores, { id: 'evt_9', now: NOW, from: FROM })).toBeUndefined()
    expect(await show(stores, { id: 'f'.repeat(64), now: NOW, from: FROM })).toBeUndefined()
  })
})
