import { type Authenticating, authenticate } from '../consume/authenticate.ts'
import { type Failing, failForGood, notNeeded } from '../consume/fail-for-good.ts'
import { failUnread } from '../consume/fail-unread.ts'
import { impliedRecord } from '../consume/implied-record.ts'
import { failedOr, notOurs, type Work } from '../consume/outcome.ts'
import type { Received } from '../consume/work.ts'
import type { Message } from '../contract/message.ts'
import { QUEUE } from '../contract/queues.ts'
import type { Queue } from '../domain/ports.ts'
import { clip, type EventRecord } from '../domain/record.ts'
import { whyRemoved } from '../domain/removed.ts'

/** To fail an event, and to look first at what became of it. */
export interface Burying extends Failing, Authenticating {
  /** Whether there is a function for these destinations. @default there is */
  readonly queue?: Pick<Queue, 'leadsTo'>
}

/** A dead letter: its body is kept for redrive, its record says `failed` and why, and only then may it go. */
export const bury = async (
  world: Burying,
  received: Pick<Received, 'text' | 'messageId'>,
  tries: number,
): Promise<Work> => {
  const read = await authenticate(world, received.text)
  if (read.kind === 'unavailable' || read.kind === 'superseded') return notOurs(read)
  if (read.kind === 'read') return buryEvent(world, read.message, tries)
  return read.ours ? buryEvent(world, read.ours, tries) : failUnread(world, received, read)
}

const buryEvent = async (world: Burying, message: Message, tries: number): Promise<Work> => {
  const now = world.now()
  const implied = impliedRecord(message, world.newFence(), now, now)
  const existing = await world.records.read(implied.fingerprint, now)
  const skipped = notNeeded(existing, implied)
  if (skipped) return skipped
  const known = existing ?? implied
  const lastError = clip(
    'lastError',
    (await isRemoved(world, implied)) ? whyRemoved(implied.to) : whyBuried(known, tries),
  )
  const by = { fence: implied.fence, now, leaseUntil: now }
  const failed = await failForGood(world, message, { ...implied, attempts: known.attempts }, by, lastError)
  return failedOr(failed, lastError)
}

/** Recovery brings what waited for a destination that was removed. */
const isRemoved = async ({ queue }: Burying, { to }: EventRecord): Promise<boolean> =>
  queue !== undefined && !(await queue.leadsTo(to))

/** The worker fails what has no try left. What comes here with some left was never an event that its handler refused. */
const whyBuried = ({ attempts, lastError }: EventRecord, tries: number): string => {
  if (attempts >= tries && lastError !== null) return lastError
  const last = lastError === null ? '' : `; the last error was ${lastError}`
  return `Undelivered: handed out ${QUEUE.maxReceiveCount} times, after ${attempts} of ${tries} tries${last}`
}
