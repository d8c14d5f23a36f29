import { isUtf8 } from 'node:buffer'
import { iso, type Millis, millis, toMillis } from '../../functions/domain/brands.ts'
import { bodyOwner } from '../../functions/domain/copies.ts'
import { copiesOf, statusWith } from '../../functions/domain/copies-of.ts'
import type { KeptBody } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Audit, ReplayStore } from '../../functions/domain/replay.ts'
import type { World } from '../../functions/domain/world.ts'
import { canReplay } from '../../functions/operate/replay.ts'
import { copyView, whereCopies } from './copy-view.ts'
import type { Effect, SeenEffect } from './effect.ts'
import { eventView } from './event-view.ts'
import { explainFault } from './explain-fault.ts'
import { find, type Sought } from './find.ts'
import type { LineSource } from './line-source.ts'
import { type ReadLine, readLines } from './read-line.ts'
import { timeline } from './timeline.ts'
import { where } from './where.ts'

/** An event as its record tells it. */
export type EventSeen = Readonly<ReturnType<typeof seenOf>>

export type EventDetail = Readonly<NonNullable<Awaited<ReturnType<typeof show>>>>

export interface Showing extends World<'records' | 'keptBodies'> {
  readonly replays: Pick<ReplayStore, 'audits'>
  readonly lines: LineSource
  /** Reads an item of the user's own. @default nothing is known of them */
  readonly itemOf?: ((effect: Effect) => Promise<SeenEffect['item']>) | undefined
}

/** `undefined` when no event that is still remembered has this id. */
export const show = async (world: Showing, sought: Sought) => {
  const record = await find(world.records, { ...sought, copies: true })
  if (record === undefined) return undefined
  const notes: string[] = []
  const orNote = async <Value>(what: string, ask: Promise<Value>, otherwise: Value): Promise<Value> =>
    ask.catch(error => {
      notes.push(`${what}. ${explainFault(error) ?? (error as Error).message}`)
      return otherwise
    })
  const lines: ReadLine[] = []
  const copies = await copiesOf(world.records, record, sought.now)
  const isSpread = copies.length > 0 && record.status === 'done'
  const [kept, audits] = await Promise.all([
    orNote('The body cannot be read', keptBody(world, record, sought.now), undefined),
    orNote<readonly Audit[]>('What operators did cannot be read', everyAuditOf(world, record, copies), []),
    orNote('The log lines cannot be read', readInto(lines, world, record, sought.now), undefined),
  ])
  const effects = await orNote('What its handler wrote cannot be read', effectsOf(lines, world), [])
  return {
    ...seenOf(record, copies, sought.now),
    /** The headers kept with the body. */
    headers: kept?.headers ?? {},
    ...textOf(kept?.bytes),
    /** Over, or abandoned by whoever claimed it. Without a body it is refused all the same. */
    replayable: (isSpread ? [record, ...copies] : [record]).every(each => canReplay(each, sought.now)),
    /** Where it is now, as a sentence. */
    where: isSpread ? whereCopies(copies) : where(record, sought.now),
    /** Oldest first. */
    timeline: timeline(record, audits, lines, copies),
    /** What operators did with it, oldest first. */
    audit: audits.map(auditEntry),
    /** What its handler's `commit` wrote into the user's own tables; known on a laptop only. */
    effects,
    /** What could not be shown, and why. */
    notes,
  }
}

/** The one event that is meant, by which it can be shown to somebody and then be acted on. */
export const lookUp = async ({ records }: World<'records'>, sought: Sought): Promise<EventSeen | undefined> => {
  const record = await find(records, sought)
  return record && seenOf(record, await copiesOf(records, record, sought.now), sought.now)
}

/** Of its last generation: an earlier one wrote the same, or what has been overwritten since. */
const effectsOf = async (lines: readonly ReadLine[], { itemOf }: Showing): Promise<readonly SeenEffect[]> => {
  const last = lines.findLast(line => line.kind === 'work' && line.wrote.length > 0)
  if (last?.kind !== 'work' || !itemOf) return []
  return Promise.all(last.wrote.map(async effect => ({ ...effect, item: keyFirst(effect, await itemOf(effect)) })))
}

/** DynamoDB keeps no order; a reader looks for the key first. */
const keyFirst = ({ key }: Effect, item: SeenEffect['item']): SeenEffect['item'] =>
  item && { ...Object.fromEntries(Object.keys(key).map(name => [name, item[name]])), ...item }

/** Damaged bytes are a note like any other fault: the rest of the event is still worth seeing. */
const keptBody = async ({ keptBodies }: Showing, record: EventRecord, now: Millis): Promise<KeptBody | undefined> =>
  record.bodyAt === null || record.erasedAt !== undefined
    ? undefined
    : keptBodies.fetch(bodyOwner(record), record.bodySha256, record.bodyAt, now)

const MOST_GENERATIONS = 100

/** Copies are replayed by themselves, too. */
const everyAuditOf = async (world: Showing, event: EventRecord, copies: readonly EventRecord[]) => {
  const replayed = copies.filter(({ generation }) => generation > 0)
  const audits = await Promise.all([event, ...replayed].map(each => auditsOf(world, each)))
  return audits.flat().sort((left, right) => left.at - right.at)
}

const auditsOf = (
  { replays }: Showing,
  { fingerprint, generation, erasedAt }: EventRecord,
): Promise<readonly Audit[]> => {
  const first = Math.max(0, generation - MOST_GENERATIONS + 1)
  const generations = Array.from({ length: generation - first + 1 }, (_, index) => first + index)
  return replays.audits(fingerprint, erasedAt === undefined ? generations : [...generations, 'erased'])
}

/** A delivery is logged when it is answered, and clocks differ. */
const SKEW_MS = 60_000

/** Weeks of log may have to be looked through; the record is worth seeing before that. */
const LOOK_FOR_MS = 10_000

const readInto = async (
  found: ReadLine[],
  { lines }: Showing,
  { fingerprint, firstSeenAt }: EventRecord,
  now: Millis,
): Promise<void> => {
  const stretch = { from: millis(firstSeenAt - SKEW_MS), until: millis(now + SKEW_MS) }
  for await (const line of readLines(lines, { ...stretch, contains: fingerprint, withinMs: LOOK_FOR_MS })) {
    found.push(line)
  }
}

const seenOf = (record: EventRecord, copies: readonly EventRecord[], now: Millis) => ({
  ...eventView({ ...record, status: statusWith(record, copies) }),
  claimedAt: iso(record.claimedAt),
  leaseUntil: iso(record.leaseUntil),
  expiresAt: iso(toMillis(record.expiresAt)),
  lastError: record.lastError,
  /** What its handler said that had no use for it. */
  ignoredBecause: record.ignoredBecause,
  correlationId: record.correlationId,
  bodySha256: record.bodySha256,
  bodySize: record.bodySize,
  /** False where the sender proves who it is, and not what it says. */
  bodySigned: record.bodySigned,
  bodyAt: record.erasedAt === undefined ? record.bodyAt : null,
  /** When an operator had its body, headers and errors erased; null if nobody did. */
  erasedAt: record.erasedAt === undefined ? null : iso(record.erasedAt),
  /** Of an event with several destinations, one for each. */
  copies: copies.map(copy => copyView(copy, now)),
})

interface Text {
  /** As text if it is text, else in base64; null if it is not kept, or if this operator may not read it. */
  readonly body: string | null
  readonly bodyEncoding: 'utf8' | 'base64' | null
}

export const textOf = (bytes: Uint8Array | undefined): Text => {
  if (bytes === undefined) return { body: null, bodyEncoding: null }
  const bodyEncoding = isUtf8(bytes) ? 'utf8' : 'base64'
  return { body: Buffer.from(bytes).toString(bodyEncoding), bodyEncoding }
}

const auditEntry = ({ fingerprint, at, fence, before, ...audit }: Audit) => ({
  time: iso(at),
  id: fingerprint,
  ...audit,
})
