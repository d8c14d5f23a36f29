import { beforeEach, describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import type { EventReads } from '../../../functions/domain/ports.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import { findEvents, type Search } from '../../../lib/console/find-events.ts'
import { claimedRecord, NOON } from '../../support/events.ts'
import { type MemoryRig, memoryRig } from '../../support/memory-rig.ts'

const DAY = 86_400_000
const anything: Search = {
  source: '',
  status: '',
  type: '',
  destination: '',
  q: '',
  limit: 2,
  now: NOON,
  from: millis(NOON - 30 * DAY),
  after: null,
}

describe('the list of the console', () => {
  let memory: MemoryRig
  const add = (ago: number, fields: Partial<EventRecord>) =>
    memory.records.set(claimedRecord(millis(NOON - ago), fields))
  beforeEach(() => {
    memory = memoryRig()
  })

  const everyPage = async (search: Partial<Search>) => {
    const ids: string[] = []
    let after: string | null = null
    do {
      const page = await findEvents(memory.stores.records, { ...anything, ...search, after })
      ids.push(...page.events.map(event => event.eventId))
      after = page.next
    } while (after !== null)
    return ids
  }

  it('the list of the console has every event once, newest first, whatever day it came and however small a page is', async () => {
    const agos = [0, 1, 1, 5_000, DAY - 1, DAY, DAY + 1, 3 * DAY, 29 * DAY]
    for (const [index, ago] of agos.entries()) add(ago, { eventId: `evt_${index}` })
    const ids = await everyPage({})
    expect([...ids].sort()).toEqual(agos.map((_, index) => `evt_${index}`))
    expect(ids.at(0)).toBe('evt_0')
    expect(ids.at(-1)).toBe('evt_8')
    expect(new Set(await everyPage({ limit: 1 })).size).toBe(agos.length)
  })

  it('the list of the console can be filtered by source, status, type and a part of the id', async () => {
    add(1_000, { eventId: 'evt_Alpha', type: 'invoice.paid' })
    add(2_000, { eventId: 'order-1', type: 'orders/create', source: 'shopify' })
    add(5 * DAY, { eventId: 'evt_old', type: 'invoice.paid', status: 'failed' })
    expect(await everyPage({ source: 'shopify' })).toEqual(['order-1'])
    expect(await everyPage({ type: 'invoice.paid' })).toEqual(['evt_Alpha', 'evt_old'])
    expect(await everyPage({ status: 'failed' })).toEqual(['evt_old'])
    expect(await everyPage({ q: 'ALPH' })).toEqual(['evt_Alpha'])
    expect(await everyPage({ q: 'nothing' })).toEqual([])
  })

  it('a filter by destination finds what goes there alone and what goes to others too', async () => {
    add(1_000, { eventId: 'evt_one', to: ['crm'] })
    add(2_000, { eventId: 'evt_two', to: ['billing', 'crm'] })
    add(3_000, { eventId: 'evt_none', to: [] })
    expect(await everyPage({ destination: 'crm' })).toEqual(['evt_one', 'evt_two'])
    expect(await everyPage({ destination: 'billing' })).toEqual(['evt_two'])
  })

  it('a long search pauses, says how far back it looked, and continues from there', async () => {
    const record = claimedRecord(NOON)
    let read = 0
    const endless: Pick<EventReads, 'list' | 'read'> = {
      read: async () => undefined,
      list: async ({ limit }) => {
        read += limit
        return { records: Array.from({ length: limit }, () => record), next: '2026-11-15T12:00:00.000Z#a' }
      },
    }
    const found = await findEvents(endless, { ...anything, q: 'nothing' })
    expect(read).toBe(2_000)
    expect(found).toEqual({ events: [], next: '2026-11-15T12:00:00.000Z#a', searchedTo: '2026-11-15T12:00:00.000Z' })
  })
})
