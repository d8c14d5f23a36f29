import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { SQSEvent } from 'aws-lambda'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomFence } from '../../functions/adapters/system.ts'
import { consume } from '../../functions/consume/consume.ts'
import { EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { millis, seconds } from '../../functions/domain/brands.ts'
import type { WebhookEvent } from '../../functions/domain/event.ts'
import { readMessage } from '../../functions/domain/read-message.ts'
import { asStored } from '../../functions/domain/version.ts'
import { availableDynamo } from '../../lib/local/engines/dynamo-command.ts'
import { type DynamoEngine, startDynamo } from '../../lib/local/engines/start-dynamo.ts'
import { clientsFor, freshTable, sdkCalls } from '../support/engines.ts'
import { anyFence, claimedRecord, NOON } from '../support/events.ts'
import { RIG_KEYS } from '../support/sealed.ts'
import { allStores } from '../support/stores.ts'

type Json = Readonly<Record<string, unknown>>

/** As version 0.1 wrote them. Never written again: what lies in somebody's table is not written again either. */
const stored = (file: string): Record<string, Json> =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../fixtures/v0.1', file), 'utf8'))
const RECORDS = stored('records.json')
const MESSAGES = stored('messages.json')

/** As a later version would write it, before a roll back. */
const TOMORROW = { tomorrow: 'kept', moreOfIt: { deep: [1, 2, 3] } }
/** Added since the first version: one of before has none of them. */
const YESTERDAY = ['edition', 'bodySigned', 'ordering']

const without = (json: Json = {}): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !YESTERDAY.includes(name)))

describe('a message on the queue while the stack is updated', () => {
  it.each(Object.entries(MESSAGES))('a message of version 0.1 is read: %s', (_name, message) => {
    expect(readMessage(JSON.stringify(message))).toEqual({ kind: 'read', message })
  })

  it.each(Object.entries(MESSAGES))(
    'a message of a later version is read, whatever else it has: %s',
    (_name, message) => {
      expect(readMessage(JSON.stringify({ ...message, ...TOMORROW })).kind).toBe('read')
    },
  )

  it('a message without the fields that were added later is read with their defaults', () => {
    expect(readMessage(JSON.stringify(without(MESSAGES.base64)))).toMatchObject({
      kind: 'read',
      message: { edition: 0, bodySigned: false, ordering: null, eventId: 'evt_queued' },
    })
  })
})

describe('a record in the table while the stack is updated', () => {
  let engine: DynamoEngine
  beforeAll(async () => {
    const found = await availableDynamo()
    if ('missing' in found) throw new Error(found.missing)
    engine = await startDynamo(found.kind)
  })
  afterAll(() => engine?.stop())

  const tableWith = async (item: Json) => {
    const { dynamodb } = clientsFor({ dynamodb: engine.endpoint })
    const table = await freshTable(engine.endpoint, EVENTS_TABLE)
    await dynamodb.send(new PutCommand({ TableName: table, Item: item }))
    const Key = { fingerprint: item.fingerprint }
    return {
      ...allStores(sdkCalls({ dynamodb: engine.endpoint }), { eventsTable: table }),
      item: async () => (await dynamodb.send(new GetCommand({ TableName: table, Key }))).Item,
    }
  }

  it.each(Object.entries(RECORDS))('a record of version 0.1 answers a repeat of its event: %s', async (name, item) => {
    const { events } = await tableWith(item)
    const now = millis(NOON + 1_000)
    const again = claimedRecord(now, { fingerprint: item.fingerprint as never, fence: anyFence() })
    expect(await events.claim(again)).toMatchObject({
      kind: 'lost',
      existing: { eventId: item.eventId, status: name === 'large' ? 'queued' : name, claimedAt: NOON },
    })
  })

  const handled = async (item: Json, message: Json | undefined) => {
    const table = await tableWith(item)
    const seen: WebhookEvent[] = []
    const world = {
      ...table.parts,
      secrets: RIG_KEYS,
      now: () => millis(NOON + 60_000),
      newFence: randomFence,
      random: () => 0,
    }
    const lambda = consume(async event => void seen.push(event), { world, environment: 'test', write: () => {} })
    const record = { messageId: 'm-1', body: JSON.stringify(message), attributes: { ApproximateReceiveCount: '1' } }
    const event = { Records: [{ ...record, messageAttributes: {} }] } as unknown as SQSEvent
    const { batchItemFailures } = await lambda(event, { getRemainingTimeInMillis: () => 5_000 })
    expect(batchItemFailures).toEqual([])
    return { seen, item: await table.item() }
  }

  it.each([
    ['queued', 'base64'],
    ['working', 'zstd'],
  ])('a record of version 0.1 that is %s is worked on to its end', async (record, message) => {
    const { seen, item } = await handled(RECORDS[record] ?? {}, MESSAGES[message])
    expect(seen).toMatchObject([{ source: 'stripe', type: 'invoice.paid' }])
    expect(await seen[0]?.json()).toMatchObject({ type: 'invoice.paid' })
    expect(item?.status).toBe('done')
  })

  it('a record of a later version is worked on to its end after a rollback, and keeps what only that version knows', async () => {
    const later = { ...RECORDS.queued, ...TOMORROW }
    const { seen, item } = await handled(later, { ...MESSAGES.base64, ...TOMORROW })
    expect(seen).toHaveLength(1)
    expect(item).toMatchObject({ status: 'done', ...TOMORROW })
  })

  /** As version 0.1 stored the newest version of a key: up to 15 digits as a number, and everything else as text. */
  const marked = (version: number | string): Json => ({
    fingerprint: 'newest#k',
    version,
    broughtBy: 'event-1',
    expiresAt: NOON / 1000 + 1_000,
  })

  it.each([
    [9, 10, 8],
    [9, '10', '8'],
    [999_999_999_999_999, '1000000000000000', '999999999999998'],
    ['9007199254740992', '9007199254740993', '9007199254740991'],
    [9_007_199_254_740_990, '9'.repeat(128), '9007199254740989'],
    ['1763208000', '1763208001', '1763207999'],
    ['2026-11-15T12:00:00Z', '2026-11-15T12:00:01Z', '2026-11-15T11:59:59Z'],
  ])('after version 0.1 stored %j as the newest, %j is newest and %j is stale', async (stored, newer, older) => {
    const { work, item } = await tableWith(marked(stored))
    const mark = { key: 'k', by: 'event-2', expiresAt: seconds(NOON / 1000 + 1_000) }
    expect(await work.advance({ ...mark, version: older }, NOON)).toEqual({ kind: 'stale' })
    expect(await work.advance({ ...mark, version: stored }, NOON)).toEqual({ kind: 'stale' })
    expect(await work.advance({ ...mark, version: newer }, NOON)).toEqual({ kind: 'newest' })
    expect(await work.advance({ ...mark, version: stored }, NOON)).toEqual({ kind: 'stale' })
    expect(await item()).toMatchObject({ version: asStored(newer), broughtBy: 'event-2' })
  })

  it.each([9, '9007199254740992', '2026-11-15T12:00:00Z'])(
    'of version 0.1 says that %j was the newest: it is not stale to the event that brought it',
    async version => {
      const { work } = await tableWith(marked(version))
      const mark = { key: 'k', version, by: 'event-1', expiresAt: seconds(NOON / 1000 + 1_000) }
      expect(await work.advance(mark, NOON)).toEqual({ kind: 'newest' })
    },
  )

  it.each([9, '1000000000000000', '2026-11-15T12:00:00Z'])(
    'says that %j was the newest also to a worker that is still on version 0.1',
    async version => {
      const { work, item } = await tableWith({ fingerprint: 'newest#k', expiresAt: NOON / 1000 })
      await work.advance({ key: 'k', version, by: 'event-1', expiresAt: seconds(NOON / 1000 + 1_000) }, NOON)
      expect(await item()).toMatchObject(marked(version))
    },
  )

  it('a record without the fields that were added later is worked on to its end', async () => {
    const { seen, item } = await handled(without(RECORDS.queued), without(MESSAGES.base64))
    expect(seen).toMatchObject([{ bodySigned: false, ordering: null }])
    expect(seen[0]?.idempotencyKey).toMatch(/-0$/)
    expect(item?.status).toBe('done')
  })
})
