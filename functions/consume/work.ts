import type { Message } from '../contract/message.ts'
import { MALFORMED_RECEIVES, OLDEST_MESSAGE_SECONDS, SEVERAL_NAME } from '../contract/queues.ts'
import type { Millis, Seconds } from '../domain/brands.ts'
import { clip, type EventRecord } from '../domain/record.ts'
import { DEPLOYING_MS } from '../domain/removed.ts'
import { WORKER_ALONE } from '../domain/route.ts'
import type { Consuming } from '../domain/world.ts'
import { authenticate, forged, type Unread } from './authenticate.ts'
import { failForGood, notNeeded } from './fail-for-good.ts'
import { failUnread } from './fail-unread.ts'
import { finish } from './finish.ts'
import { type Handler, handle } from './handle.ts'
import { handlerEvent } from './handler-event.ts'
import { holdBack } from './hold-back.ts'
import { impliedRecord } from './implied-record.ts'
import { failedOr, notOurs, type Work } from './outcome.ts'
import type { Pace } from './pace.ts'
import { take } from './take.ts'
import { type CommitResult, toolsFor } from './tools.ts'

/** What the queue hands over. */
export interface Received {
  readonly messageId: string
  readonly text: string
  /** How often the queue has handed it out. */
  readonly receiveCount: number
  /** NaN if the queue does not say. */
  readonly sentAt: Millis
  /** Of a FIFO queue; null: it came from the other one. */
  readonly group: string | null
}

export interface Bounds {
  /** How long the function may still run. */
  readonly remaining: Millis
  /** Aborted when the attempt has to be given up. */
  readonly signal: AbortSignal
  /** Calls of the handler with one event before it fails. */
  readonly tries: number
  /** Whose messages these are. @default anybody's */
  readonly destination?: string | undefined
  readonly pace?: Pace | undefined
  /** Waits until no other event is at work in this process. @default there is none */
  readonly turn?: () => Promise<void>
}

/** The flow: a message is read, taken, handled and finished. */
export const work = async (world: Consuming, handler: Handler, received: Received, bounds: Bounds): Promise<Work> => {
  const read = await authenticate(world, received.text)
  if (read.kind === 'unavailable' || read.kind === 'superseded') return notOurs(read)
  // Before anything that it could do to its event, whichever release wrote it.
  const strange = misplaced(read.kind === 'read' ? read.message : read.ours, bounds.destination)
  if (strange) return meetUnread(world, received, strange)
  if (read.kind !== 'read') return meetUnread(world, received, read)
  const { message } = read
  const tooOld = whyTooOld(world.now(), received, message)
  if (tooOld !== undefined) return failUntaken(world, message, tooOld)

  const held = await holdBack(world, message, received, bounds)
  if (held !== undefined) return held
  if (bounds.signal.aborted) return TOO_LATE
  const taken = await take(world, message, bounds)
  if (taken.kind !== 'taken') return notOurs(taken)
  const { record } = taken
  if (world.now() >= record.leaseUntil) return wokeTooLate(world, record)
  const last = { world, message, record, tries: bounds.tries }
  if (record.attempts > bounds.tries) return failUncalled(last)

  const tools = toolsFor(world, message, record, bounds.signal)
  const handled = await handle(handler, handlerEvent(world, message, record), tools)
  switch (handled.kind) {
    case 'returned':
      return conclude(last, tools.committed())
    case 'ignored':
      return conclude(last, tools.committed(), handled.because)
    case 'unprocessable':
      return placed(await failOwned(last, handled.lastError), handled.at)
    case 'threw':
      return tools.committed()?.kind === 'committed'
        ? { work: 'done' }
        : placed(await tryLater(last, handled.lastError, handled.retryAfter), handled.at)
    case 'hung':
      return reportHung(last)
  }
}

/** With where the handler threw. */
const placed = (ended: Work, at: string | undefined): Work =>
  at !== undefined && (ended.work === 'failed' || ended.work === 'attempt-failed') ? { ...ended, at } : ended

/** An attempt that owns its event. */
interface Owned {
  readonly world: Consuming
  readonly message: Message
  readonly record: EventRecord
  readonly tries: number
}

const destinationOf = ({ to = WORKER_ALONE }: Message): string => (to.length === 1 ? String(to[0]) : SEVERAL_NAME)

/** A genuine message that somebody has put on the queue of another destination: handled here, its own would never get the event. */
const misplaced = (message: Message | null, destination: string | undefined): Unread | undefined =>
  message === null || destination === undefined || destinationOf(message) === destination
    ? undefined
    : forged(`it is for ${destinationOf(message)}, and this is the queue of ${destination}`)

/** Until it has come back a few times, and a deployment is over, it may be of a release that is being rolled out. */
const meetUnread = async (world: Consuming, received: Received, unread: Unread): Promise<Work> => {
  const { kind, why, ours, isOurs, isLater } = unread
  // In a FIFO group everything behind it waits: 100 texts of somebody's would hold it up for half a day, so there only our MAC is believed.
  if (received.group !== null && !isOurs) return failUnread(world, received, unread)
  const isNew = ours !== null && world.now() - received.sentAt < DEPLOYING_MS
  if (received.receiveCount < MALFORMED_RECEIVES || isNew) return { work: kind, why }
  if (ours) return failUntaken(world, ours, clip('lastError', `Malformed: ${why}`))
  // Another release may be able to read it.
  const mayBeRead = isOurs || isLater
  return mayBeRead && !isOld(world.now(), received) ? { work: kind, why } : failUnread(world, received, unread)
}

const isOld = (now: Millis, { sentAt }: Received): boolean => now - sentAt >= OLDEST_MESSAGE_SECONDS * 1000

const whyTooOld = (now: Millis, received: Received, { expiresAt }: Message): string | undefined => {
  if (expiresAt * 1000 <= now) return 'Expired: the message outlived what is remembered'
  return isOld(now, received) ? 'Undelivered: its message is 12 days old, and SQS deletes it after 14' : undefined
}

const wokeTooLate = async (world: Consuming, record: EventRecord): Promise<Work> => {
  await world.work.giveBack(record, world.now())
  return TOO_LATE
}

const TOO_LATE: Work = { work: 'unavailable', cause: 'woke up too late' }

const conclude = async (owned: Owned, committed: CommitResult | undefined, ignoredBecause?: string): Promise<Work> => {
  const { world, record } = owned
  const unwritten = whyUnwritten(committed)
  if (unwritten !== undefined) return tryLater(owned, unwritten)
  // It may yet be written: the lease stays, and the record says why, should this go on to the last attempt.
  if (committed?.kind === 'unavailable') {
    await world.work.report(record, world.now(), clip('lastError', `Commit: ${committed.cause}`), record.leaseUntil)
  }
  const answer = await finish(world, record, committed, ignoredBecause)
  if (answer.kind !== 'moved') return notOurs(answer)
  const isIgnored = ignoredBecause !== undefined && committed?.kind !== 'committed'
  return isIgnored ? { work: 'ignored', ignoredBecause } : { work: 'done' }
}

/** A commit that could never be written is no decision of the handler's: without its writes the event is not done. */
const whyUnwritten = (committed: CommitResult | undefined): string | undefined => {
  if (committed?.kind === 'too-many') return `Commit: more than ${committed.limit} writes`
  if (committed?.kind === 'refused' && committed.code !== 'ConditionalCheckFailed') return `Commit: ${committed.code}`
  return undefined
}

/** Stays `working`, and the queue brings the message back; after the last try it fails. */
const tryLater = async (owned: Owned, lastError: string, retryAfter?: Seconds): Promise<Work> => {
  const { world, record, tries } = owned
  const now = world.now()
  // A line has room for the name of what was refused, and a record has not.
  await world.work.report(record, now, clip('lastError', lastError), now)
  if (record.attempts >= tries) return failOwned(owned, lastError)
  return { work: 'attempt-failed', lastError, attempts: record.attempts, tries, ...(retryAfter && { retryAfter }) }
}

/** It may yet have its effect: its lease stays, and if this was the last try, the next one to take it says that it has failed. */
const reportHung = async ({ world, record, tries }: Owned): Promise<Work> => {
  const lastError = 'Deadline: the handler was still running'
  await world.work.report(record, world.now(), lastError, record.leaseUntil)
  return { work: 'attempt-failed', lastError, attempts: record.attempts, tries }
}

/** Its last try never came back. This one is none. */
const failUncalled = async (owned: Owned): Promise<Work> => {
  const { world, record, tries } = owned
  await world.work.giveBack(record, world.now())
  return failOwned(owned, record.lastError ?? `Crashed: none of ${tries} tries came back`)
}

const failOwned = async ({ world, message, record }: Owned, lastError: string): Promise<Work> => {
  const now = world.now()
  const by = { fence: record.fence, now, leaseUntil: now }
  return failedOr(await failForGood(world, message, record, by, lastError), lastError)
}

const failUntaken = async (world: Consuming, message: Message, lastError: string): Promise<Work> => {
  const now = world.now()
  const record = impliedRecord(message, world.newFence(), now, now)
  const skipped = notNeeded(await world.records.read(record.fingerprint, now), record)
  return skipped ?? failOwned({ world, message, record, tries: 0 }, lastError)
}
