import type { Message } from '../../functions/contract/message.ts'
import { isOver } from '../../functions/contract/status.ts'
import { type Fingerprint, toSeconds } from '../../functions/domain/brands.ts'
import { WORKER } from '../../functions/domain/destinations.ts'
import { type EventRecord, isExpired } from '../../functions/domain/record.ts'
import { BulkReplays } from './bulk-replays.ts'
import { checkOrder } from './check-order.ts'
import { checkTimes } from './check-times.ts'
import { checkWrites } from './check-writes.ts'
import { Copies } from './copies.ts'
import { CrashedTries } from './crashed-tries.ts'
import { Erasures } from './erasures.ts'
import type { Process } from './faults.ts'
import { Generations } from './generations.ts'
import { Guards } from './guards.ts'
import { Publications } from './publications.ts'
import { bytesIn, Signed } from './signed.ts'
import type { Timeline } from './timeline.ts'
import type { WorldCounts } from './world-counts.ts'

/** The writes that make a process the owner. */
const OWNING: ReadonlySet<string> = new Set(['claim', 'takeOver', 'reopen', 'replay', 'beginAnew'])

/** The writes of an owner. */
const FENCED: ReadonlySet<string> = new Set(['settle', 'release', 'finish', 'ignore', 'report', 'commit', 'giveBack'])

/** Who is writing: a write is judged by its writer's own clock. */
export interface Writing {
  readonly process: Process
  /** The transition that is written. */
  readonly name: string
  /** The fence that the write compares with, if it does. */
  readonly fence?: string | undefined
}

/** FNV-1a. */
const mixed = (hash: number, text: string): number => {
  let mix = hash
  for (let index = 0; index < text.length; index++) mix = Math.imul(mix ^ text.charCodeAt(index), 16_777_619)
  return mix
}

/** The same as of its text. V8 remembers no text of a number that long, and makes it anew for each note. */
const mixedInstant = (hash: number, instant: number): number => {
  if (!Number.isInteger(instant) || instant < LEAST || instant >= 10 * LEAST) return mixed(hash, String(instant))
  let mix = hash
  let rest = instant
  for (let unit = LEAST; unit >= 1; unit /= 10) {
    const digit = Math.floor(rest / unit)
    rest -= digit * unit
    mix = Math.imul(mix ^ (ZERO + digit), 16_777_619)
  }
  return mix
}

/** Thirteen digits, as all milliseconds from 2001 to 2286 have. */
const LEAST = 1_000_000_000_000
const ZERO = 0x30

/** The lean client holds a call of a new process for a tenth of a second while its first connections are silent (decision 42). */
const HELD_MS = 100

/** Everything that happened, and every rule it broke. */
export class Ledger {
  readonly violations: string[] = []
  readonly trace: string[] = []
  checks = 0
  hash = 2_166_136_261
  writing: Writing | undefined
  /** fingerprint/generation of every message that ever reached the queue. */
  readonly forwarded = new Set<string>()
  /** How many of each. */
  readonly messages = new Map<string, number>()
  /** Where the messages of an event were to be handled. */
  readonly sentTo = new Map<string, Set<string>>()
  /** Committed effects by fingerprint/generation. */
  readonly commits = new Map<string, number>()
  /** Keyed effects by idempotency key. */
  readonly effects = new Map<string, number>()
  readonly answers: Record<string, number> = {}
  /** Who ever owned an event, and who put a message of it on the queue. */
  readonly owners = new Set<string>()
  readonly senders = new Set<string>()
  readonly signed = new Signed()
  /** A record is made to vanish, or to count as absent from now on: no process of ours does that. */
  isErasing: false | 'at once' | 'by TTL' = false
  /** What somebody deleted, as it was then, whatever became of it. */
  readonly erased = new Map<string, EventRecord>()
  /** Claimed after its record was deleted, and not sent since. */
  readonly claimedAgain = new Set<string>()
  /** When a message of an event was last put on the queue. */
  readonly sentAt = new Map<string, number>()
  /** What was over when its record vanished, expired or erased. */
  readonly forgotten = new Set<string>()
  /** What recovery gave up as lost, as it was before. Its record may say what it had failed with earlier. */
  readonly lost = new Map<string, EventRecord>()
  /** Its message was put back when the body that it points to had ended. */
  readonly hollow = new Set<string>()
  received = 0
  lastMessage: Message | undefined
  readonly guards = new Guards(
    (...given) => this.check(...given),
    () => this.#count('guarded'),
  )
  readonly generations = new Generations((...given) => this.check(...given))
  readonly bulk: BulkReplays
  readonly erasures = new Erasures((...given) => this.check(...given))
  readonly crashedTries = new CrashedTries((...given) => this.check(...given))
  readonly publications = new Publications((...given) => this.check(...given))
  readonly copies = new Copies(
    (...given) => this.check(...given),
    what => this.#count(what),
  )
  readonly #timeline: Pick<Timeline, 'now'>
  readonly #tracing: boolean
  readonly #count: (what: keyof WorldCounts) => void

  constructor(timeline: Pick<Timeline, 'now'>, tracing: boolean, count: (what: keyof WorldCounts) => void = () => {}) {
    this.#timeline = timeline
    this.bulk = new BulkReplays((...given) => this.check(...given), this.generations, timeline)
    this.#tracing = tracing
    this.#count = count
  }

  /** Hashed word by word: only a story that is told needs its lines. */
  note(who: string, ...what: readonly string[]): void {
    let hash = mixed(mixedInstant(this.hash, this.#timeline.now), ' ')
    hash = mixed(hash, who)
    for (const word of what) hash = mixed(mixed(hash, ' '), word)
    this.hash = hash
    if (this.#tracing) this.trace.push([this.#timeline.now, who, ...what].join(' '))
  }

  check(rule: string, holds: boolean, detail: () => string): void {
    this.checks++
    if (holds) return
    this.violations.push(`${rule}: ${detail()}`)
    this.note('VIOLATION', `${rule}: ${detail()}`)
  }

  /** Every write to a record passes here. */
  wrote(met: EventRecord | undefined, after: EventRecord): void {
    if (!this.writing) throw new Error('a record was written by nobody')
    const { process, name, fence } = this.writing
    const now = this.#timeline.now + process.skew
    const seconds = toSeconds(now as EventRecord['updatedAt'])
    const hasExpired = met !== undefined && isExpired(met, seconds)
    checkWrites((...given) => this.check(...given), met, after, { name, process, seconds })
    if (hasExpired) this.#expired(met)
    // Deleted by hand and sent again it lives twice, until a message of the first life puts its own in the place of the other.
    const isOtherLife = name.startsWith('recreate') && this.erased.has(after.fingerprint)
    // Past its time it counts as absent, deleted or not.
    const before = hasExpired || isOtherLife ? undefined : met
    this.note(
      process.name,
      `${name} ${before?.status ?? '-'}/${before?.generation ?? '-'} -> ${after.status}/${after.generation}`,
    )
    this.#begun(before, after, name)
    // Who has the event already, and takes it over from themselves, leaves it to recovery.
    const owning = OWNING.has(name) && after.fence !== met?.fence
    checkTimes((...given) => this.check(...given), { after, now, name, owning, process })
    this.bulk.wrote(before, after, name, process)
    this.erasures.wrote(before, after, name)
    this.generations.wrote(before, after, name, process)
    this.publications.wrote(before, after, name)
    this.copies.wrote(before, after, name, process)
    this.crashedTries.wrote(before, after, name, process, this.#timeline.now)
    if (OWNING.has(name)) this.owners.add(`${process.name} ${after.fingerprint}`)
    if (FENCED.has(name)) this.#checkFence(met, fence, process, name)
    this.#checkEnding(before, after, now)
    if (!before) return
    if (name === 'fail' && process.kind === 'recover') this.lost.set(after.fingerprint, before)
    this.#checkGuard(before, after, process, name)
    checkOrder((...given) => this.check(...given), before, after, name)
    this.#checkOwner(before, after, now, name)
  }

  #begun(before: EventRecord | undefined, after: EventRecord, name: string): void {
    if (name.startsWith('recreate')) this.#recreated(before, after)
    if (name === 'claim' && !before) this.#claimed(after)
  }

  #recreated(before: EventRecord | undefined, { fingerprint, generation, to }: EventRecord): void {
    // What is no message of ours goes nowhere, and had no record before.
    if (!before && to.length > 0) this.#count('absent')
    // A message is what it is made from, though whoever sent it may be forgotten.
    this.forwarded.add(`${fingerprint}/${generation}`)
  }

  #claimed(after: EventRecord): void {
    if (this.erased.has(after.fingerprint)) this.claimedAgain.add(after.fingerprint)
    // Its next life is to be handled like any other. What somebody deleted may live twice.
    else this.forgotten.delete(after.fingerprint)
    if (this.writing?.process.guards) this.guards.claimed(after)
    const isFirst = this.writing?.process.sources?.get(after.source)?.storeFirst === true && after.copyOf === null
    this.check(
      'what may not be sent again is stored before it is claimed',
      !isFirst || after.bodyAt !== null,
      () => after.eventId,
    )
  }

  /** A lease that is ended before its time. */
  #checkEnding(before: EventRecord | undefined, after: EventRecord, now: number): void {
    const { process, name } = this.writing as Writing
    if (name === 'release') {
      const sent = this.senders.has(`${process.name} ${after.fingerprint}`)
      this.check(
        'a lease is ended early only when nothing was enqueued',
        !sent,
        () => `${process.name} released what it had sent`,
      )
    }
    if (name === 'report') {
      const ended = process.handling.has(after.fingerprint) && after.leaseUntil < (before?.leaseUntil ?? 0)
      this.check('the lease of a handler that is still running is not ended', !ended, () => `${process.name} at ${now}`)
    }
  }

  /** Whoever lets a record live longer lets its guard live longer first: that may outlive its record, and never the other way round. */
  #checkGuard(
    before: EventRecord,
    { guard, fingerprint, expiresAt }: EventRecord,
    process: Process,
    name: string,
  ): void {
    if (guard === null || expiresAt <= before.expiresAt) return
    // Whoever claimed it first has said when its guard ends.
    const isLonger =
      name === 'reopen' || name === 'replay' || (name === 'settle' && before.claimedAt > before.firstSeenAt)
    this.check('S11 a guard ends no sooner than its record', !isLonger || process.guarded.has(fingerprint), () => name)
  }

  /** A write that compares with no fence is judged by the one it met. */
  #checkFence(before: EventRecord | undefined, shown: string | undefined, process: Process, name: string): void {
    const fence = shown ?? before?.fence
    const by = (): string => `${name} by ${process.name}`
    this.check('S5 a write shows the fence of the record', before?.fence === fence, by)
    this.check(
      'S5 a fence is shown only by the process that made it',
      fence !== undefined && process.fences.has(fence),
      by,
    )
  }

  /** Ownership changes only when the lease has passed by the new owner's clock, or when a consumer takes a forwarded event. */
  #checkOwner(before: EventRecord, after: EventRecord, now: number, name: string): void {
    if (after.fence === before.fence || after.generation !== before.generation) return
    const forwarded = before.status === 'claimed' && after.status === 'working'
    // Who erases owns nothing: the fence ends late writes.
    const free =
      before.status === 'queued' || before.status === 'failed' || before.leaseUntil <= now || name === 'erase'
    this.check(
      'S2 one live owner',
      forwarded || free,
      () => `${name}: ${before.status} until ${before.leaseUntil} taken at ${now}`,
    )
  }

  /** A process is about to send: it must be, or have been, the owner, and its lease must not have passed by its own clock. */
  sending(message: Message, process: Process, record: EventRecord | undefined): void {
    const owned = this.owners.has(`${process.name} ${message.id}`)
    this.check('only an owner forwards', owned, () => `${process.name} sends ${message.eventId}`)
    const mine = record !== undefined && process.fences.has(record.fence)
    const late = mine && record.leaseUntil <= this.#timeline.now + process.skew
    this.check('nobody begins to send after their lease', !late, () => `${process.name} sends ${message.eventId}`)
  }

  /** The user's code begins: under a lease that has not passed by its own clock. */
  handling(id: Fingerprint, process: Process, record: EventRecord | undefined): void {
    const mine = record !== undefined && process.fences.has(record.fence)
    const late = mine && record.leaseUntil <= this.#timeline.now + process.skew
    this.check('a handler begins only under a live lease', !late, () => `${process.name} handles ${id.slice(0, 8)}`)
  }

  /** What was sent is settled: at once, unless a body is still being kept, and then only so much later. */
  settling(process: Process, isLean: boolean): void {
    const waited = this.#timeline.now - (process.confirmedAt ?? this.#timeline.now)
    process.confirmedAt = undefined
    this.check(
      'an acknowledgement waits no longer than a second for a copy that only a replay needs',
      waited <= 1_000 + (isLean ? HELD_MS : 0),
      () => `${process.name} waited for ${waited} ms`,
    )
  }

  enqueued(message: Message, process: Process): void {
    this.lastMessage = message
    this.claimedAgain.delete(message.id)
    this.sentAt.set(message.id, this.#timeline.now)
    const forwarding = `${message.id}/${message.generation}`
    this.messages.set(forwarding, (this.messages.get(forwarding) ?? 0) + 1)
    this.forwarded.add(forwarding)
    this.sentTo.set(message.id, (this.sentTo.get(message.id) ?? new Set()).add(String(message.to ?? WORKER)))
    this.senders.add(`${process.name} ${message.id}`)
    this.generations.sent(message.id, message.generation, message.edition)
    this.publications.sent(message)
    if (message.body.encoding === 'pointer') this.#count('pointers')
    const bytes = bytesIn(message)
    if (bytes) this.carried('S8 the message carries the bytes that were signed', message, bytes)
  }

  /** What a message, a handler or a kept body has for an event. */
  carried(rule: string, event: Pick<Message, 'id' | 'eventId'>, bytes: Uint8Array): void {
    const payload = this.publications.payloadOf(this.copies.eventOf(event.id))?.body
    const right = payload === undefined ? this.signed.has(event.eventId, bytes) : payload === String(Buffer.from(bytes))
    this.check(rule, right, () => `${event.eventId}: ${Buffer.from(bytes).subarray(0, 200)}`)
  }

  /** Its record is gone: should it come again, it is a new event. */
  forget(record: EventRecord): void {
    const { fingerprint, status, generation } = record
    // Deleted before it was sent, it has no message that could make it again.
    const isUnsent = status === 'claimed' && !this.forwarded.has(`${fingerprint}/${generation}`)
    if (isOver(status) || isUnsent) this.forgotten.add(fingerprint)
    for (const key of this.commits.keys()) if (key.startsWith(fingerprint)) this.commits.delete(key)
    this.guards.forget(fingerprint)
    this.lost.delete(fingerprint)
    this.crashedTries.forget(fingerprint)
    this.copies.forget(record)
    this.generations.forget(fingerprint)
    this.bulk.forget(fingerprint)
    this.erasures.forget(fingerprint)
  }

  #expired(record: EventRecord): void {
    this.#count('expired')
    this.forget(record)
    for (const key of this.forwarded) if (key.startsWith(record.fingerprint)) this.forwarded.delete(key)
  }

  /** A 2xx answer left the receiver. An event that had failed when the delivery came in must have been forwarded anew. */
  acknowledged(
    id: Fingerprint,
    record: EventRecord | undefined,
    atFirst: EventRecord | undefined,
    isWanted = true,
  ): void {
    // Since then it may have expired, by the receiver's clock, and begun a new life: one that began too early changes its first sight.
    const isSameLife = atFirst !== undefined && (record === undefined || record.firstSeenAt === atFirst.firstSeenAt)
    // What no route of today wants is not begun anew.
    // Nor is what was erased.
    const isReopened = atFirst?.status === 'failed' && isWanted && record?.erasedAt === undefined
    const least = isSameLife ? atFirst.generation + (isReopened ? 1 : 0) : 0
    const ever = this.hasForwarded(id, least)
    const expiredAt = (record?.expiresAt ?? Number.POSITIVE_INFINITY) * 1000
    // Whose clock is a minute late may still know it.
    this.check('an event that has expired is accepted anew', this.#timeline.now < expiredAt + 120_000, () =>
      id.slice(0, 8),
    )
    this.check(
      'S1 no 2xx before the message is on the queue',
      ever,
      () => `${id.slice(0, 8)} answered 2xx, never forwarded (record ${record?.status})`,
    )
  }

  /** In this generation or a later one: what was begun and abandoned may be begun once more. */
  hasForwarded(id: Fingerprint, least: number): boolean {
    for (const key of this.forwarded) if (key.startsWith(id) && Number(key.slice(65)) >= least) return true
    return false
  }

  /** A consumer, or the burial of a dead letter, deletes a message. */
  deleted(message: Message, record: EventRecord | undefined, bodyKept: boolean): void {
    const later = record !== undefined && record.generation > message.generation
    const isOfEarlierLife = record !== undefined && record.firstSeenAt >= message.expiresAt * 1000
    const over =
      record?.status === 'done' ||
      record?.status === 'ignored' ||
      (record?.status === 'failed' && (bodyKept || record.erasedAt !== undefined))
    this.check(
      'a message is deleted only when its event is done, or failed with its body kept, or of a later generation',
      later || over || this.forgotten.has(message.id) || isOfEarlierLife,
      () =>
        `deleted generation ${message.generation} while the record is ${record?.status}/${record?.generation}, body kept: ${bodyKept}`,
    )
  }

  committed(key: string): void {
    const count = (this.commits.get(key) ?? 0) + 1
    this.commits.set(key, count)
    this.check('S3 one committed effect per generation', count === 1, () => `${key} committed ${count} times`)
  }

  answered(outcome: string): void {
    this.answers[outcome] = (this.answers[outcome] ?? 0) + 1
  }
}
