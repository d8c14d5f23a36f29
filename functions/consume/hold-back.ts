import type { Message } from '../contract/message.ts'
import { type Fingerprint, millis } from '../domain/brands.ts'
import type { EventRecord } from '../domain/record.ts'
import type { Consuming } from '../domain/world.ts'
import { waitAfter } from './back-off.ts'
import type { Work } from './outcome.ts'
import type { Pace } from './pace.ts'

/**
 * The last try of an event that did not come back may have taken its process down, and may do so again. So the event waits
 * as long as after a failure, and is then tried when nothing else is at work, which would lose a try with it.
 */
export const holdBack = async (
  { records, now }: Pick<Consuming, 'records' | 'now'>,
  message: Message,
  { receiveCount, group }: { readonly receiveCount: number; readonly group: string | null },
  {
    tries,
    pace,
    turn,
  }: { readonly tries: number; readonly pace?: Pace | undefined; readonly turn?: () => Promise<void> },
): Promise<Work | undefined> => {
  // The first time that a message is received costs no read.
  if (receiveCount < 2) return undefined
  const known = await records.read(message.id as Fingerprint, now())
  if (!known || known.generation !== message.generation || !isUnended(known)) return undefined
  // No try is left: the handler is not called again.
  if (known.attempts >= tries) return undefined
  const until = known.updatedAt + waitAfter(known.attempts, group, 0, pace) * 1000
  if (now() < until) return { work: 'busy', leaseUntil: millis(Math.max(until, known.leaseUntil)) }
  await turn?.()
  return undefined
}

/** Who reports a try, or gives it back, also ends its lease, unless the handler may still be running. */
const isUnended = ({ status, leaseUntil, updatedAt }: EventRecord): boolean =>
  status === 'working' && leaseUntil > updatedAt
