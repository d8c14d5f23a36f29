import type { Over } from '../contract/status.ts'
import type { Millis } from '../domain/brands.ts'
import { readMessage } from '../domain/read-message.ts'
import { clip, type EventRecord } from '../domain/record.ts'
import type { EndAnswer } from '../domain/work.ts'
import type { Consuming } from '../domain/world.ts'
import { failForGood } from './fail-for-good.ts'
import { finish } from './finish.ts'
import { type Handler, handle } from './handle.ts'
import { handlerEvent } from './handler-event.ts'
import { type Incoming, impliedRecord } from './incoming.ts'
import { take } from './take.ts'
import { type CommitResult, toolsFor } from './tools.ts'

/** Everything a message can come to. */
export type Work =
  | { readonly work: 'done' }
  /** Done, failed or superseded before: nothing was left to do. */
  | { readonly work: 'skipped'; readonly why: Over | 'superseded' }
  /** Failed for good: its body is kept, its record says so. */
  | { readonly work: 'failed'; readonly lastError: string }
  | { readonly work: 'attempt-failed'; readonly lastError: string }
  | { readonly work: 'busy' }
  | { readonly work: 'malformed'; readonly why: string }
  | { readonly work: 'unavailable'; readonly cause: string }

/** What the queue hands over. */
export interface Received {
  readonly text: string
  readonly receiveCount: number
}

export interface Time {
  /** How long the function may still run. */
  readonly remaining: Millis
  /** Aborted when the attempt has to be given up. */
  readonly signal: AbortSignal
}

/** The flow: a message is read, taken, handled and finished. */
export const work = async (world: Consuming, handler: Handler, received: Received, time: Time): Promise<Work> => {
  const read = readMessage(received.text)
  if (read.kind === 'malformed') return { work: 'malformed', why: read.why }
  const incoming = { message: read.message, receiveCount: received.receiveCount }
  if (isPastItsTime(world, incoming)) return bury(world, incoming, 'Expired: the message outlived what is remembered')

  const taken = await take(world, incoming, time.remaining)
  if (taken.kind !== 'taken') return notOurs(taken)
  if (time.signal.aborted || world.now() >= taken.record.leaseUntil)
    return { work: 'unavailable', cause: 'woke up too late' }

  const tools = toolsFor(world, incoming.message, taken.record, time.signal)
  const handled = await handle(handler, handlerEvent(world, incoming.message), tools)
  switch (handled.kind) {
    case 'returned':
      return conclude(world, taken.record, tools.committed())
    case 'unprocessable':
      return buryOwned(world, incoming, taken.record, handled.lastError)
    case 'threw':
      return tools.committed()?.kind === 'committed'
        ? { work: 'done' }
        : tryLater(world, taken.record, handled.lastError, world.now())
    case 'hung':
      return tryLater(world, taken.record, 'Deadline: the handler was still running', taken.record.leaseUntil)
  }
}

const conclude = async (world: Consuming, record: EventRecord, committed: CommitResult | undefined): Promise<Work> => {
  const unwritten = whyUnwritten(committed)
  if (unwritten !== undefined) return tryLater(world, record, unwritten, world.now())
  // It may yet be written: the lease stays, and the record says why, should this go on to the last attempt.
  if (committed?.kind === 'unavailable') {
    await world.work.report(record, world.now(), clip('lastError', `Commit: ${committed.cause}`), record.leaseUntil)
  }
  return ended(await finish(world, record, committed))
}

/** A commit that could never be written is no decision of the handler's: without its writes the event is not done. */
const whyUnwritten = (committed: CommitResult | undefined): string | undefined => {
  if (committed?.kind === 'too-many') return `Commit: more than ${committed.limit} writes`
  if (committed?.kind === 'refused' && committed.code !== 'ConditionalCheckFailed') return `Commit: ${committed.code}`
  return undefined
}

const isPastItsTime = (world: Consuming, { message }: Incoming): boolean => message.expiresAt * 1000 <= world.now()

/** What became of a message that is not ours to work on. */
export const notOurs = (answer: Exclude<EndAnswer, { kind: 'moved' }>): Work => {
  switch (answer.kind) {
    case 'busy':
      return { work: 'busy' }
    case 'over':
      return { work: 'skipped', why: answer.status }
    case 'superseded':
      return { work: 'skipped', why: 'superseded' }
    case 'unavailable':
      return { work: 'unavailable', cause: answer.cause }
  }
}

const ended = (answer: EndAnswer): Work => (answer.kind === 'moved' ? { work: 'done' } : notOurs(answer))

/** Stays `working`; the queue brings the message back. What the report comes to changes nothing about that. */
const tryLater = async (
  world: Consuming,
  record: EventRecord,
  lastError: string,
  leaseUntil: Millis,
): Promise<Work> => {
  await world.work.report(record, world.now(), lastError, leaseUntil)
  return { work: 'attempt-failed', lastError }
}

const bury = (world: Consuming, incoming: Incoming, lastError: string): Promise<Work> => {
  const now = world.now()
  return buryOwned(world, incoming, impliedRecord(incoming, world.newFence(), now, now), lastError)
}

const buryOwned = async (
  world: Consuming,
  incoming: Incoming,
  record: EventRecord,
  lastError: string,
): Promise<Work> => {
  const now = world.now()
  const answer = await failForGood(world, incoming, record, { fence: record.fence, now, leaseUntil: now }, lastError)
  return answer.kind === 'moved' ? { work: 'failed', lastError } : notOurs(answer)
}
