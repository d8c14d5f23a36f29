import { randomBytes } from 'node:crypto'
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { toItem } from '../../functions/adapters/event-items.ts'
import { randomFence, systemPause } from '../../functions/adapters/system.ts'
import { BODIES_TABLE, EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { type Fingerprint, type Millis, millis } from '../../functions/domain/brands.ts'
import { sha256 } from '../../functions/domain/identity.ts'
import type { BodyStore } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { replay } from '../../functions/operate/replay.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { recover } from '../../functions/recover/recover.ts'
import { startDynamo } from '../../lib/local/engines/start-dynamo.ts'
import { clientsFor, freshTable, sdkCalls } from '../support/engines.ts'
import { claimedRecord, NOON } from '../support/events.ts'
import { memoryRig } from '../support/memory-rig.ts'
import { RIG_KEYS } from '../support/sealed.ts'
import { allStores } from '../support/stores.ts'

export interface RecordFigures {
  readonly records: number
  readonly firstPage: number
  readonly laterPage: number
  /** Of the events since the watermark, of which there are always as many. */
  readonly recovery: number
  readonly seen: number
  /** Of one event after another, a hundred of them. */
  readonly replay: number
  /** Of this process, after all of it, above what it was before. */
  readonly memory: number
}

const MINUTE = 60_000
const DAY = 86_400_000
const NEW_EVENTS = 1_000
const PAGE = 50
const REPLAYED = 100

/** A table of so many records over three days: a listing, some replays, then a recovery that starts where the last one ended. */
export const measureRecords = async (records: number): Promise<RecordFigures> => {
  const engine = await startDynamo('dynoxide')
  try {
    const { dynamodb } = clientsFor({ dynamodb: engine.endpoint })
    const table = await freshTable(engine.endpoint, EVENTS_TABLE)
    const before = process.memoryUsage().rss
    await fill(dynamodb, table, records, millis(NOON - 3 * DAY), 3 * DAY - 10 * MINUTE)
    const bodiesTable = await freshTable(engine.endpoint, BODIES_TABLE)
    const stores = allStores(sdkCalls({ dynamodb: engine.endpoint }), { eventsTable: table, bodiesTable }).parts
    const page = (from: Millis, now: Millis) => stores.records.list({ limit: PAGE, now, from })
    const firstPage = await timed(() => page(millis(NOON - 30 * DAY), NOON))
    const laterPage = await timed(() => page(millis(NOON - 30 * DAY), millis(NOON - 1.5 * DAY)))

    const world = {
      ...stores,
      // The table is what is measured.
      queue: memoryRig().stores.queue,
      secrets: RIG_KEYS,
      sources: resolveSources({ stripe: { provider: 'stripe' } }),
      now: () => NOON,
      newFence: randomFence,
      pause: systemPause,
      leaseMillis: millis(15_000),
    }
    const ids = await fillReplayable(dynamodb, table, world.bodies)
    const act = { actor: 'bench', reason: 'bench', job: null }
    const replayed = await timed(async () => {
      for (const id of ids) {
        const { kind } = await replay(world, { id, ...act })
        if (kind !== 'replayed') throw new Error(`the replay of ${id} ended as ${kind}`)
      }
    })
    // The first run walks the day that it missed; what is measured is every other one.
    await recover(world)
    await fill(dynamodb, table, NEW_EVENTS, millis(NOON + MINUTE), MINUTE)
    const later = { ...world, now: () => millis(NOON + 10 * MINUTE) }
    let seen = 0
    const took = await timed(async () => {
      seen = (await recover(later)).seen
    })
    const memory = Math.max(0, Math.round((process.memoryUsage().rss - before) / 1e6))
    return { records, firstPage, laterPage, replay: replayed / ids.length, recovery: took, seen, memory }
  } finally {
    await engine.stop()
  }
}

const timed = async (act: () => Promise<unknown>): Promise<number> => {
  const started = performance.now()
  await act()
  return Math.round(performance.now() - started)
}

const BATCH = 25
const AT_ONCE = 8

const fill = async (
  client: DynamoDBDocumentClient,
  table: string,
  count: number,
  from: Millis,
  span: number,
): Promise<void> => {
  for (let done = 0; done < count; done += BATCH * AT_ONCE) {
    const batches = Array.from({ length: AT_ONCE }, (_, batch) =>
      Array.from({ length: Math.min(BATCH, count - done - batch * BATCH) }, (__, index) =>
        item(millis(from + ((done + batch * BATCH + index) * span) / count)),
      ),
    ).filter(batch => batch.length > 0)
    await Promise.all(batches.map(batch => client.send(new BatchWriteCommand({ RequestItems: { [table]: batch } }))))
  }
}

const item = (at: Millis) => put(doneRecord(millis(Math.floor(at))))

const put = (record: EventRecord) => ({ PutRequest: { Item: toItem(record) } })

const doneRecord = (at: Millis, fields: Partial<EventRecord> = {}): EventRecord =>
  claimedRecord(at, { fingerprint: randomBytes(32).toString('hex') as Fingerprint, status: 'done', ...fields })

/** Events whose bodies are still there. */
const fillReplayable = async (
  client: DynamoDBDocumentClient,
  table: string,
  bodies: Pick<BodyStore, 'keep'>,
): Promise<Fingerprint[]> => {
  const bytes = Buffer.from('{"id":"evt_1"}')
  const bodySha256 = sha256(bytes)
  const ids: Fingerprint[] = []
  for (let done = 0; done < REPLAYED; done += BATCH) {
    const records = Array.from({ length: BATCH }, () =>
      doneRecord(millis(NOON - DAY), { bodySha256, bodyAt: 'dynamodb' }),
    )
    for (const { fingerprint, eventId, expiresAt } of records) {
      await bodies.keep(
        { fingerprint, sha256: bodySha256, bytes, eventId, headers: {}, ordering: null },
        NOON,
        expiresAt,
      )
      ids.push(fingerprint)
    }
    await client.send(new BatchWriteCommand({ RequestItems: { [table]: records.map(put) } }))
  }
  return ids
}
