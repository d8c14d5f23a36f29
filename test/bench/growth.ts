import { createHash } from 'node:crypto'
import { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs'
import { toItem } from '../../functions/adapters/event-items.ts'
import { randomFence, systemPause } from '../../functions/adapters/system.ts'
import { listingPosition } from '../../functions/contract/tables.ts'
import { type Fingerprint, type Millis, millis } from '../../functions/domain/brands.ts'
import { sha256 } from '../../functions/domain/identity.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { replay } from '../../functions/operate/replay.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { recover } from '../../functions/recover/recover.ts'
import { cloudwatchLines } from '../../lib/operator/cloudwatch-lines.ts'
import { stats } from '../../lib/operator/stats.ts'
import { type Asked, countedDynamo } from '../support/counted-dynamo.ts'
import { claimedRecord, NOON } from '../support/events.ts'
import { memoryRig, RIG_NAMES } from '../support/memory-rig.ts'
import { RIG_KEYS } from '../support/sealed.ts'
import { allStores } from '../support/stores.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const PAGE = 50
const NEW_EVENTS = 1_000

/** What each act asks of the table that holds so many records, and `stats` of CloudWatch; exact on every engine. */
export interface Growth {
  readonly records: number
  readonly firstPage: Asked
  readonly laterPage: Asked
  readonly replay: Asked
  /** Of the thousand new ones. */
  readonly recovery: Asked
  readonly seen: number
  /** Calls of `stats`, one line for each record. */
  readonly statsCalls: number
}

/** Records of thirty days on the memory AWS; a run of recovery has passed over all of them. */
export const measureGrowth = async (records: number): Promise<Growth> => {
  const { engine, aws, stores } = memoryRig()
  const write = (record: EventRecord): void =>
    void engine.dynamo.putItem({ TableName: RIG_NAMES.eventsTable, Item: toItem(record) })
  for (let index = 0; index < records; index += 1)
    write(done(index, millis(NOON - 10 * MINUTE - Math.floor((index * 30 * DAY) / records))))
  const { dynamo, asked } = countedDynamo(aws.dynamo)
  const world = {
    ...allStores({ ...aws, dynamo }, RIG_NAMES).parts,
    queue: stores.queue,
    secrets: RIG_KEYS,
    sources: resolveSources({ stripe: { provider: 'stripe' } }),
    now: () => NOON,
    newFence: randomFence,
    pause: systemPause,
    leaseMillis: millis(15_000),
  }
  const during = async (act: () => Promise<unknown>): Promise<Asked> => {
    const before = { ...asked }
    await act()
    const names = Object.keys(asked) as (keyof Asked)[]
    return Object.fromEntries(names.map(name => [name, asked[name] - before[name]])) as unknown as Asked
  }

  const from = millis(NOON - 30 * DAY)
  const firstPage = await during(() => world.records.list({ limit: PAGE, now: NOON, from }))
  const after = listingPosition(NOON - 15 * DAY, '')
  const laterPage = await during(() => world.records.list({ limit: PAGE, now: NOON, from, after }))

  const kept = await withBody(world.bodies, write, records)
  const replayed = await during(() => replay(world, { id: kept, actor: 'bench', reason: 'bench', job: null }))

  // Where the run before ended; walking all there is would be a stack's first run.
  for (const pass of ['abandoned', 'late', 'lost'] as const)
    await world.recovery.moveCursor(pass, listingPosition(NOON - MINUTE, ''))
  for (let index = 0; index < NEW_EVENTS; index += 1) write(done(-1 - index, millis(NOON + MINUTE + index * 50)))
  let seen = 0
  const later = { ...world, now: () => millis(NOON + 10 * MINUTE) }
  const recovery = await during(async () => {
    seen = (await recover(later)).seen
  })
  return { records, firstPage, laterPage, replay: replayed, recovery, seen, statsCalls: await statsCalls(records) }
}

const fingerprintOf = (index: number): Fingerprint =>
  createHash('sha256').update(`record ${index}`).digest('hex') as Fingerprint

const done = (index: number, at: Millis, fields: Partial<EventRecord> = {}): EventRecord =>
  claimedRecord(at, { fingerprint: fingerprintOf(index), fence: FENCE, status: 'done', ...fields })

/** One for all: a million of them would only be memory. */
const FENCE = claimedRecord().fence

const withBody = async (
  bodies: ReturnType<typeof allStores>['parts']['bodies'],
  write: (record: EventRecord) => void,
  index: number,
): Promise<Fingerprint> => {
  const bytes = Buffer.from('{"id":"evt_1"}')
  const record = done(index, millis(NOON - DAY), { bodySha256: sha256(bytes), bodyAt: 'dynamodb' })
  const { fingerprint, bodySha256, eventId, expiresAt } = record
  await bodies.keep({ fingerprint, sha256: bodySha256, bytes, eventId, headers: {}, ordering: null }, NOON, expiresAt)
  write(record)
  return fingerprint
}

/** A page of FilterLogEvents is a megabyte: so many of our lines. */
const LINES_OF_A_PAGE = 2_200

const statsCalls = async (lines: number): Promise<number> => {
  const message = JSON.stringify({ _aws: { Timestamp: NOON }, Source: 'stripe', outcome: 'accepted', Accepted: 1 })
  let [calls, left] = [0, lines]
  const send = async (command: object): Promise<unknown> => {
    calls += 1
    if (command.constructor.name === 'StartQueryCommand') return { queryId: 'q' }
    if (command.constructor.name === 'GetQueryResultsCommand') return { status: 'Complete', results: [] }
    const events = Array.from({ length: Math.min(left, LINES_OF_A_PAGE) }, () => ({ message }))
    left -= events.length
    return { events, ...(left > 0 && { nextToken: 'more' }) }
  }
  const client = Object.assign(new CloudWatchLogsClient({ region: 'us-east-1' }), { send })
  await stats(cloudwatchLines(client, ['/receive']), { from: NOON, until: NOON, bucketMs: DAY })
  return calls
}
