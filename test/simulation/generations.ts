import type { Fingerprint } from '../../functions/domain/brands.ts'
import type { WebhookEvent } from '../../functions/domain/event.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Replay } from '../../functions/operate/replay.ts'
import type { Check } from './check-times.ts'
import type { Process } from './faults.ts'

/** A generation that an operator began. */
export interface Begun {
  readonly process: string
  readonly asked: Replay
  readonly at: number
  readonly fence: string
  readonly was: EventRecord['status']
}

const DOUBLE_SUBMIT_MS = 3_000

const keyOf = (id: string, generation: number): string => `${id}/${generation}`

/** How each generation of each event began, and what follows from that. */
export class Generations {
  /** What each operator wants, by the process that does it for them. */
  readonly asked = new Map<string, Replay>()
  readonly #begun = new Map<string, Begun>()
  /** The fences of what was begun in earlier lives. */
  readonly #former = new Set<string>()
  readonly #editions = new Map<string, number>()
  readonly #memory = new Map<Fingerprint, number>()
  readonly #keys = new Map<string, string>()
  readonly #check: Check

  constructor(check: Check) {
    this.#check = check
  }

  begun(id: string, generation: number): Begun | undefined {
    return this.#begun.get(keyOf(id, generation))
  }

  /** Whether a process began anything at all. */
  beganSome(process: string): boolean {
    return [...this.#begun.values()].some(each => each.process === process)
  }

  /** The next one with this name is a new event. */
  forget(fingerprint: Fingerprint): void {
    this.#memory.delete(fingerprint)
    for (const [key, { fence }] of this.#begun) {
      if (!key.startsWith(fingerprint)) continue
      this.#begun.delete(key)
      this.#former.add(fence)
    }
  }

  /** Whether it was begun in an earlier life: its audit outlives its record. */
  isFormer(fence: string): boolean {
    return this.#former.has(fence)
  }

  wrote(before: EventRecord | undefined, after: EventRecord, name: string, process: Process): void {
    const { fingerprint, generation, edition } = after
    if (name === 'claim') this.#memory.set(fingerprint, memoryOf(after))
    const isNew = before !== undefined && generation !== before.generation
    // What is counted here, not what the record says: an edition follows from what became of the one before.
    const known = this.#editions.get(keyOf(fingerprint, before?.generation ?? generation)) ?? 0
    // A copy of an event that was forgotten and came again is the same thing once more, and so is its key.
    const isSameLife = before?.firstSeenAt === after.firstSeenAt
    const expected = isNew && before.status === 'done' && isSameLife ? known + 1 : known
    this.#editions.set(keyOf(fingerprint, generation), expected)
    this.#check(
      'S3 an edition grows only when what was done begins again',
      edition === expected,
      () => `${name}: edition ${edition} in generation ${generation} after ${before?.status}, expected ${expected}`,
    )
    if (!isNew) return
    this.#check(
      'S4 a new generation is begun by an operator, or reopened by its sender, or by one of its event',
      name === 'replay' || name === 'reopen' || (name === 'beginAnew' && after.copyOf !== null),
      () => `${name} by ${process.name}`,
    )
    this.#check(
      'S5 a new generation has a fence of its own',
      after.fence !== before.fence && process.fences.has(after.fence),
      () => `${name} by ${process.name}`,
    )
    this.#check(
      'S10 a new generation is remembered as long as the first',
      memoryOf(after) >= (this.#memory.get(fingerprint) ?? 0) - 1,
      () => `${name}: for ${memoryOf(after)} s, at first ${this.#memory.get(fingerprint)} s`,
    )
    if (name === 'replay') this.#began(before, after, process)
  }

  #began(before: EventRecord, after: EventRecord, process: Process): void {
    const { fingerprint, generation } = after
    const asked = this.asked.get(process.name)
    this.#check(
      'only who was asked to replays',
      asked?.id === fingerprint || asked?.id === after.copyOf,
      () => `${process.name} begins ${generation}`,
    )
    this.#check(
      'a replay for one destination leaves the others as they are',
      asked?.to === undefined || after.to.join() === asked.to,
      () => `${process.name} begins that for ${after.to} and was asked for ${asked?.to}`,
    )
    if (!asked) return
    const at = after.claimedAt
    const last = this.begun(fingerprint, before.generation)
    this.#check(
      'a replay begins from the generation that was shown',
      asked.generation === undefined || asked.generation === before.generation || asked.id === after.copyOf,
      () => `shown ${asked.generation}, begun from ${before.generation}`,
    )
    this.#check(
      'a redrive begins from what failed',
      !asked.onlyFailed || before.status === 'failed',
      () => `redriven from ${before.status}`,
    )
    const impatient = asked.generation === undefined && last?.asked.actor === asked.actor
    this.#check(
      'what impatient hands ask for twice is begun once',
      !impatient || at - last.at >= DOUBLE_SUBMIT_MS,
      () => `${asked.actor} again after ${at - (last?.at ?? 0)} ms`,
    )
    const begun = { process: process.name, asked, at, fence: after.fence, was: before.status }
    this.#begun.set(keyOf(fingerprint, generation), begun)
  }

  /** A replay was written: who wanted it has to stand beside it. */
  noted(id: string, generation: number, audit: Readonly<Record<string, unknown>> | undefined): void {
    // A repeat, whose answer says what it did in a life that is over.
    if (this.isFormer(String(audit?.fence))) return
    const begun = this.begun(id, generation)
    this.#check(
      'who began a generation is known from its first moment',
      audit?.fence === begun?.fence &&
        audit?.actor === begun?.asked.actor &&
        (audit?.job ?? null) === begun?.asked.job &&
        audit?.was === begun?.was,
      () => `generation ${generation}: ${JSON.stringify(audit)}`,
    )
  }

  /** A message is on its way with this edition. */
  sent(id: string, generation: number, edition: number): void {
    const expected = this.#editions.get(keyOf(id, generation)) ?? 0
    this.#check(
      'S3 a message has the edition of its generation',
      edition === expected,
      () => `edition ${edition} in generation ${generation}, expected ${expected}`,
    )
  }

  /** A handler is given an event: one key for each edition, and none for two. */
  handled({ id, generation, idempotencyKey }: Pick<WebhookEvent, 'id' | 'generation' | 'idempotencyKey'>): void {
    const name = `${id}-${this.#editions.get(keyOf(id, generation))}`
    const [key = idempotencyKey, whose = name] = [this.#keys.get(name), this.#keys.get(idempotencyKey)]
    this.#check(
      'S3 an event has one idempotency key until it is replayed after it was done',
      key === idempotencyKey && whose === name,
      () => `${idempotencyKey} for generation ${generation}, known ${key} of ${whose}`,
    )
    this.#keys.set(name, idempotencyKey)
    this.#keys.set(idempotencyKey, name)
  }
}

const memoryOf = ({ expiresAt, claimedAt }: EventRecord): number => expiresAt - Math.floor(claimedAt / 1000)
