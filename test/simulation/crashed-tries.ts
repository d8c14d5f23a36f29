import type { Message } from '../../functions/contract/message.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Check } from './check-times.ts'
import type { Process } from './faults.ts'
import type { SimMessage } from './receive-some.ts'

interface Batch {
  readonly startedAt: number
  readonly tries: number
  /** Of messages that were received before, by event: the longest that it has to wait. */
  readonly longest: ReadonlyMap<string, number>
  /** How often the queue has handed out each. */
  readonly receives: ReadonlyMap<string, number>
  /** Events whose last try did not come back. */
  readonly suspects: Set<string>
}

const SECOND = 1_000
/** What is not tried to the end. */
const AT_ONCE = /^(Unprocessable|Expired|Undelivered|Malformed|Removed)/
/** Received so much more often than tried, it is tried beside others (docs/decisions/0034-alone-after-a-crash.md). */
const MOST_PUT_OFF = 5
const LONGEST = { standard: 4 * 3_600 * SECOND, ordered: 900 * SECOND } as const

/** A try that did not come back may have taken its process down: its event waits, and is then handled alone. */
export class CrashedTries {
  readonly #batches = new WeakMap<Process, Batch>()
  /** How often the user's code was called with each generation of an event. */
  readonly #calls = new Map<string, number>()
  /** When each record was last written. */
  readonly #writtenAt = new Map<string, number>()
  readonly #check: Check

  constructor(check: Check) {
    this.#check = check
  }

  /** A worker begins with some messages. */
  received(process: Process, messages: readonly SimMessage[], tries: number, now: number): void {
    // A second message of the event may be received for the first time, and looks at no record.
    const fresh = new Set(messages.filter(({ receiveCount }) => receiveCount === 1).map(({ said }) => said.id))
    const again = messages.filter(({ said }) => !fresh.has(said.id))
    const longest = again.map(({ said, group }) => [said.id, LONGEST[group === null ? 'standard' : 'ordered']] as const)
    const receives = new Map(again.map(({ said, receiveCount }) => [said.id, receiveCount]))
    this.#batches.set(process, { startedAt: now, tries, longest: new Map(longest), receives, suspects: new Set() })
  }

  wrote(before: EventRecord | undefined, after: EventRecord, name: string, process: Process, now: number): void {
    // A call that was under way when somebody deleted its record belongs to the life before.
    if (before === undefined) this.forget(after.fingerprint)
    const seenAt = this.#writtenAt.get(after.fingerprint) ?? 0
    this.#writtenAt.set(after.fingerprint, now)
    const batch = this.#batches.get(process)
    if (name === 'fail' && batch && before?.status === 'working') this.#checkFailure(before, after, batch)
    const longest = batch?.longest.get(after.fingerprint)
    // What was written since it began, it need not have seen.
    if (name !== 'take' || !batch || longest === undefined || seenAt >= batch.startedAt) return
    if (before?.status !== 'working' || before.leaseUntil <= before.updatedAt || before.attempts >= batch.tries) return
    const isPutOff = (batch.receives.get(after.fingerprint) ?? 0) <= before.attempts + MOST_PUT_OFF
    if (isPutOff) batch.suspects.add(after.fingerprint)
    const wait = Math.min(longest, 30 * SECOND * 2 ** Math.max(0, before.attempts - 1))
    this.#check(
      'S14 an event whose last try did not come back waits as after a failure',
      after.updatedAt - before.updatedAt >= wait,
      () => `${process.name} took it ${after.updatedAt - before.updatedAt} ms after try ${before.attempts}`,
    )
  }

  /** Tries are used up by tries alone: what fails sooner says that it is of no use, or too late. */
  #checkFailure({ attempts }: EventRecord, { eventId, lastError }: EventRecord, { tries }: Batch): void {
    this.#check(
      'S14 a handler is called as often as its tries say',
      attempts >= tries || AT_ONCE.test(lastError ?? ''),
      () => `${eventId} fails after ${attempts} of ${tries} tries: ${lastError}`,
    )
  }

  /** The next one with this name is a new event. */
  forget(fingerprint: string): void {
    for (const key of this.#calls.keys()) if (key.startsWith(fingerprint)) this.#calls.delete(key)
  }

  /** The user's code is about to begin. */
  begins(process: Process, { id, generation }: Pick<Message, 'id' | 'generation'>): void {
    const { suspects, tries = Number.POSITIVE_INFINITY } = this.#batches.get(process) ?? {}
    const calls = (this.#calls.get(`${id}/${generation}`) ?? 0) + 1
    this.#calls.set(`${id}/${generation}`, calls)
    this.#check('S14 a handler is called as often as its tries say', calls <= tries, () => `${process.name}: ${calls}`)
    const isAlone = process.handling.size === 0
    this.#check(
      'S14 an event whose last try did not come back is handled alone',
      isAlone || !(suspects?.has(id) || [...process.handling].some(other => suspects?.has(other))),
      () => `${process.name} handles ${id.slice(0, 8)} beside ${process.handling.size}`,
    )
  }
}
