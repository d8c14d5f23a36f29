import { RECEIVE_LEASE_MS } from '../contract/limits.ts'
import { QUEUE } from '../contract/queues.ts'
import { listingPosition } from '../contract/tables.ts'
import { type Millis, millis } from '../domain/brands.ts'
import { noteDay } from '../domain/event-days.ts'
import { unavailable } from '../domain/fault.ts'
import type { ListingCursor, Unavailable } from '../domain/ports.ts'
import type { EventRecord } from '../domain/record.ts'
import type { PassName, Walked } from '../domain/recovery.ts'
import { someAtOnce } from '../domain/some-at-once.ts'
import type { World } from '../domain/world.ts'
import { type Finishing, finishAbandoned, type Recovery, type Unreadable } from './finish-abandoned.ts'
import { markLost } from './mark-lost.ts'
import { park, wasParked } from './park.ts'

/** To walk the listing, and to finish or fail what it finds there. */
export type Recovering = Finishing & World<'recovery'>

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** How far a first run looks back: a message of then may still be on the queue, and a body may still be kept. */
const FIRST_LOOK = QUEUE.retentionSeconds * 1000

interface Pass {
  readonly name: PassName
  /** How long after its claim an event is looked at. */
  readonly lag: number
  /** How far it may fall behind before it is worth sixteen queries. */
  readonly every: number
  /** Notes on which days it met events, so the listing need not ask for the others. */
  readonly keepsDays?: true
  readonly look: (world: Recovering, record: EventRecord, readAt: Millis) => Promise<Look>
}

type Look = Recovery | Unreadable | Unavailable

/** The index is eventually consistent: two minutes cover it nearly always, and the pass an hour later covers the rest. */
const PASSES: readonly Pass[] = [
  { name: 'abandoned', lag: RECEIVE_LEASE_MS + 2 * MINUTE, every: 0, look: finishAbandoned },
  { name: 'late', lag: HOUR, every: 10 * MINUTE, keepsDays: true, look: finishAbandoned },
  { name: 'lost', lag: QUEUE.retentionSeconds * 1000 + HOUR, every: 10 * MINUTE, look: markLost },
]

/** Entries of each of the sixteen shards that are looked at together. */
const PAGE = 50
/** If nothing of a stretch can be read, that is an outage and not one body. After an hour the walk goes on all the same. */
const OUTAGE = HOUR
/** Takeovers, sends and settles at once: enough for a backlog, little enough not to compete with deliveries. */
const AT_ONCE = 10

export type Tally = Record<Exclude<Recovery, 'fine'> | 'unreadable' | 'seen', number> & {
  /** Seconds between where the first pass stands and where it should. */
  lag: number
  /** Of the first that was not answered. */
  cause?: string
}

/** Every event still claimed after its lease is finished from its stored body. Safe to run twice at once, and to kill. */
export const recover = async (world: Recovering, stop: () => boolean = () => false): Promise<Tally> => {
  const tally: Tally = { seen: 0, recovered: 0, waiting: 0, lost: 0, unreadable: 0, unavailable: 0, lag: 0 }
  for (const pass of PASSES) {
    const target = millis(world.now() - pass.lag)
    const from = (await world.recovery.cursor(pass.name)) ?? { position: listingPosition(target - FIRST_LOOK, '') }
    if (target - instantOf(from.position) < pass.every) continue
    const reached = await walk(world, pass, from, target, tally, stop)
    if (pass.name === 'abandoned') tally.lag = Math.max(0, Math.round((target - instantOf(reached)) / 1000))
  }
  return tally
}

/** The cursor stays before a stretch in which anything did not answer, so the next run sees it again. */
const walk = async (
  world: Recovering,
  pass: Pass,
  from: Walked,
  target: Millis,
  tally: Tally,
  stop: () => boolean,
): Promise<ListingCursor> => {
  let { position: cursor, days } = from
  while (instantOf(cursor) < target && !stop()) {
    const readAt = world.now()
    const { records, reached } = await world.recovery.scan(cursor, target, PAGE)
    const looks = await lookAt(world, pass, records, readAt, tally)
    tally.seen += records.length
    for (const look of looks) if (look !== 'fine') tally[look]++
    if (looks.includes('unavailable')) return cursor
    if (pass.keepsDays) days = noteDay(days, cursor, records.length > 0)
    await world.recovery.moveCursor(pass.name, reached, days)
    cursor = reached
  }
  return cursor
}

/** What cannot be read is looked at again later, unless there is an outage. */
const lookAt = async (
  world: Recovering,
  pass: Pass,
  records: readonly EventRecord[],
  readAt: Millis,
  tally: Tally,
): Promise<readonly (Recovery | 'unreadable')[]> => {
  const looks = await someAtOnce(records, AT_ONCE, record => pass.look(world, record, readAt).catch(unavailable))
  const isOutage = looks.filter(isUnread).length > 1 && !looks.includes('recovered')
  const patience = pass.lag + OUTAGE
  return someAtOnce(looks, AT_ONCE, async look => {
    if (typeof look === 'string') return look
    tally.cause ??= 'why' in look ? look.why : look.cause
    if ('cause' in look) return 'unavailable'
    const waits = isOutage && isUnread(look) && world.now() - look.seen.claimedAt < patience
    return waits ? 'unavailable' : park(world, look)
  })
}

/** Nobody answered, as far as can be known. One that was parked before is no sign of an outage. */
const isUnread = (look: Look): boolean =>
  typeof look !== 'string' && 'why' in look && !look.damaged && !wasParked(look.seen)

const instantOf = (position: ListingCursor): number => Date.parse(position.slice(0, position.indexOf('#')))
