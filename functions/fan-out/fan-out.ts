import { keepBody } from '../accept/keep.ts'
import type { Handler } from '../consume/handle.ts'
import { type Taken, takenAs } from '../consume/handler-event.ts'
import { type Fingerprint, millis, type Sha256 } from '../domain/brands.ts'
import { TryLater, Unprocessable } from '../domain/event.ts'
import type { Identified } from '../domain/evidence.ts'
import { pointedTo } from '../domain/message.ts'
import type { BodyPlace } from '../domain/record.ts'
import { DEPLOYING_MS } from '../domain/removed.ts'
import type { Source } from '../domain/source.ts'
import { DEPLOYING_SECONDS, type FanningOut, makeCopy } from './make-copy.ts'

/**
 * Behind the queue of events with several destinations: a copy for each of them. Who does it twice meets the copies that are there,
 * and who dies leaves the rest to the next try. When all are on their way, the event itself is done.
 */
export const fanOut =
  (world: FanningOut): Handler =>
  async event => {
    const { message, record } = takenAs(event)
    const source = world.sources.get(message.source)
    if (!source) throw unknownSource(message.source, world.now() - record.claimedAt)
    const whole = wholeOf(source, { message, record }, await event.bytes())
    const at = await keptFirst(world, whole, pointedTo(message))
    const made = await Promise.allSettled(record.to.map(to => makeCopy(world, { ...whole, bodyAt: at }, record, to)))
    const faults = made.flatMap(each => (each.status === 'rejected' ? [each.reason as Error] : []))
    if (faults[0]) throw faults[0]
  }

/** The receiver may know a source a moment before this function does. */
const unknownSource = (source: string, age: number): Error =>
  age < DEPLOYING_MS
    ? new TryLater(`the source ${source} is not known here`, DEPLOYING_SECONDS)
    : new Unprocessable(`its source ${source} is not in sources.ts`)

/** The body outlives every copy that points to it. */
const keptFirst = async (world: FanningOut, whole: Identified, readAt: BodyPlace | null): Promise<BodyPlace> => {
  const kept = await keepBody(world, whole, { readAt })
  if (kept.kind === 'unavailable') throw new Error(`the body could not be kept: ${kept.cause}`)
  return kept.at
}

/** The event as its receiver had it. What is kept of it is its own body. */
const wholeOf = (source: Source, { message, record }: Taken, body: Uint8Array): Identified =>
  ({
    source,
    fingerprint: message.id as Fingerprint,
    copyOf: message.id as Fingerprint,
    guard: null,
    eventId: message.eventId,
    type: message.type,
    headers: message.headers,
    ordering: null,
    to: record.to,
    body,
    bodySha256: message.body.sha256 as Sha256,
    receivedAt: millis(record.firstSeenAt),
    correlationId: message.correlationId,
    trace: {},
    ...(message.via && { via: message.via }),
  }) as unknown as Identified
