import type { Message } from '../contract/message.ts'
import { type Fingerprint, type Millis, millis, plus } from '../domain/brands.ts'
import type { EventRecord } from '../domain/record.ts'
import type { Consuming } from '../domain/world.ts'
import { waitAfter } from './back-off.ts'
import type { Work } from './outcome.ts'
import type { Pace } from './pace.ts'

interface HoldingBounds {
  /** How long the function may still run, whenever it is asked for. */
  readonly remaining: Millis
  readonly tries: number
  readonly pace?: Pace | undefined
  readonly turn?: () => Promise<void>
}

/**
 * The last try of an event that did not come back may have taken its process down, and may do so again. So the event waits
 * as long as after a failure, and is then tried when nothing else is at work, which would lose a try with it. If the others have
 * taken most of the time by then, it comes again, a few times at most: then it is tried beside them.
 */
export const holdBack = async (
  { records, now }: Pick<Consuming, 'records' | 'now'>,
  message: Message,
  { receiveCount, group }: { readonly receiveCount: number; readonly group: string | null },
  bounds: HoldingBounds,
): Promise<Work | undefined> => {
  const { tries, pace, turn } = bounds
  // The first time that a message is received costs no read.
  if (receiveCount < 2) return undefined
  const known = await records.read(message.id as Fingerprint, now())
  if (!known || known.generation !== message.generation || !isUnended(known)) return undefined
  // No try is left: the handler is not called again.
  if (known.attempts >= tries) return undefined
  const until = known.updatedAt + waitAfter(known.attempts, group, 0, pace) * 1000
  if (now() < until) return { work: 'busy', leaseUntil: millis(Math.max(until, known.leaseUntil)) }
  if (turn === undefined || receiveCount > known.attempts + MOST_PUT_OFF) return undefined
  const whole = bounds.remaining
  await turn()
  return bounds.remaining < whole / 2 ? { work: 'busy', leaseUntil: plus(now(), PUT_OFF) } : undefined
}

/** How often it is put off, and for how long, until it is tried beside others. */
const MOST_PUT_OFF = 5
const PUT_OFF = millis(10_000)

/** Who reports a try, or gives it back, also ends its lease, unless the handler may still be running. */
const isUnended = ({ status, leaseUntil, updatedAt }: EventRecord): boolean =>
  status === 'working' && leaseUntil > updatedAt
