import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import type { EventRecord } from '../../../functions/domain/record.ts'
import type { Connection } from '../../../lib/connect/connection.ts'
import { startingAt } from '../../../lib/listen/cursor.ts'
import { listenForEvents } from '../../../lib/listen/listen-for-events.ts'
import { claimedRecord, NOON } from '../../support/events.ts'
import { memoryRig } from '../../support/memory-rig.ts'

let server: Server
let to: string

beforeEach(async () => {
  server = createServer((_, response) => response.end())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  to = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})

afterEach(() => server.close())

type List = Connection['stores']['records']['list']

/** Listens until `count` events were sent. `onLook` is called before each look, with its number. */
const heard = async (count: number, onLook: (look: number, put: (record: EventRecord) => void) => void) => {
  const { stores, records } = memoryRig()
  let looks = 0
  const list: List = page => {
    onLook(++looks, records.set)
    return stores.records.list(page)
  }
  const keptBodies: Connection['stores']['keptBodies'] = {
    ...stores.keptBodies,
    fetch: async (fingerprint, sha256) => ({
      ...{ fingerprint, sha256, bytes: Buffer.from('{}') },
      ...{ eventId: 'evt', headers: {}, ordering: null },
    }),
  }
  const connection = {
    kind: 'local',
    now: () => NOON,
    stores: { ...stores, records: { ...stores.records, list }, keptBodies },
  } as unknown as Connection
  const ended = new AbortController()
  const seen: string[] = []
  const listening = {
    connection,
    to,
    sources: new Map(),
    secretOf: () => '',
    matches: () => true,
    rate: 1_000,
    cursor: startingAt(millis(NOON - 60_000)),
    file: { read: () => undefined, write: () => {} },
    signal: ended.signal,
    tell: () => {},
  }
  for await (const { record } of listenForEvents(listening)) {
    seen.push(record.eventId)
    if (seen.length === count) ended.abort()
  }
  return seen
}

const queued = (eventId: string, at: number): EventRecord =>
  claimedRecord(millis(NOON + at), { eventId, status: 'queued', bodyAt: 'table' })

describe('listening for events', () => {
  it('an event that a look has missed is sent before a later one that the look has found', async () => {
    const [first, second] = [queued('first', -2_000), queued('second', -1_000)]
    const seen = await heard(2, (look, put) => {
      put(second)
      if (look > 1) put(first)
    })
    expect(seen).toEqual(['first', 'second'])
  })

  it('an event waits for an earlier one whose body is being kept', async () => {
    const [first, second] = [queued('first', -2_000), queued('second', -1_000)]
    const seen = await heard(2, (look, put) => {
      put(look > 2 ? first : { ...first, status: 'claimed', bodyAt: null })
      put(second)
    })
    expect(seen).toEqual(['first', 'second'])
  })

  it('an event does not wait for a claim that nobody has finished for ten seconds', async () => {
    const [first, second] = [queued('first', -10_000), queued('second', -1_000)]
    const seen = await heard(1, (_, put) => {
      put({ ...first, status: 'claimed', bodyAt: null })
      put(second)
    })
    expect(seen).toEqual(['second'])
  })
})
