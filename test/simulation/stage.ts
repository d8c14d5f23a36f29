import { memoryBodies } from '../../functions/adapters/memory-bodies.ts'
import { type MemoryEvents, memoryEvents } from '../../functions/adapters/memory-events.ts'
import { memoryReplay } from '../../functions/adapters/memory-replay.ts'
import { type MemoryWork, memoryWork } from '../../functions/adapters/memory-work.ts'
import type { BuryWorld } from '../../functions/bury/bury.ts'
import type { Message } from '../../functions/contract/message.ts'
import { DEAD_LETTERS, QUEUE } from '../../functions/contract/queues.ts'
import { listingPosition } from '../../functions/contract/tables.ts'
import { type Fence, type Fingerprint, millis } from '../../functions/domain/brands.ts'
import { messageText } from '../../functions/domain/message.ts'
import type { ListingCursor, Queue, SendAnswer, Unavailable } from '../../functions/domain/ports.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { PassName, RecoveryStore } from '../../functions/domain/recovery.ts'
import type { ReplayStore } from '../../functions/domain/replay.ts'
import type { Source } from '../../functions/domain/source.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import type { RecoverWorld } from '../../functions/recover/world.ts'
import type { ReplayWorld } from '../../lib/operator/replay.ts'
import { type Injected, type Process, type Wire, wire } from './faults.ts'
import { Ledger } from './ledger.ts'
import { type Chance, chance } from './random.ts'
import { SimQueue } from './sim-queue.ts'
import { atFirst, simSecrets } from './sim-secrets.ts'
import { STILL, Timeline } from './timeline.ts'

const LOST: Unavailable = { kind: 'unavailable', cause: 'simulated' }
const NO_ANSWER = new Error('simulated: no answer')
const REFUSED: SendAnswer = { kind: 'refused', cause: 'simulated' }
/** Reads have no answer that means "no answer": they throw. */
const THROWING: ReadonlySet<string> = new Set(['read', 'list', 'fetch', 'scan', 'cursor', 'moveCursor', 'audits'])
/** Writes by an owner: their first argument is what they own. */
const FENCED: ReadonlySet<string> = new Set(['settle', 'release', 'finish', 'report', 'commit'])
/** No calls of their own: they build a write, or look at what was loaded with the secrets. */
const LOCAL: ReadonlySet<string> = new Set(['advanceWrite', 'capturing'])

export interface Run {
  readonly seed: number
  readonly tracing?: boolean
  /** Faults by their number that a shrunk run leaves out. */
  readonly without?: ReadonlySet<number>
}

/** Everything of one schedule that is not an actor: time, chance, stores, queues, and the wire between. */
export class Stage {
  readonly timeline = new Timeline()
  readonly luck: Chance
  readonly ledger: Ledger
  readonly faults: Injected[] = []
  faultsSeen = 0
  readonly faultsEnd: number
  readonly records: Map<Fingerprint, EventRecord>
  readonly bodies = memoryBodies()
  readonly work: MemoryWork
  readonly replays: ReplayStore
  readonly queue: SimQueue
  readonly deadLetters: SimQueue
  readonly secrets = atFirst()
  sources: ReadonlyMap<string, Source>
  readonly #events: MemoryEvents
  readonly #countedWork: MemoryWork
  readonly #watchedReplays: ReplayStore
  readonly #recovery = this.#recoveryPort()
  readonly #secretStore = simSecrets(this.secrets)
  readonly #wire: Wire
  readonly #index = new Map<Fingerprint, ListingCursor>()
  readonly #cursors = new Map<PassName, ListingCursor>()
  #processes = 0
  #fences = 0

  constructor({ seed, tracing = false, without }: Run) {
    this.luck = chance(seed)
    this.ledger = new Ledger(this.timeline, tracing)
    this.faultsEnd = this.timeline.now + this.luck.between(30_000, 300_000)
    this.sources = sourcesOf(this.luck)
    this.records = this.#observedRecords()
    this.#events = memoryEvents(this.records)
    this.work = memoryWork(this.records)
    this.replays = memoryReplay(this.records)
    this.#countedWork = this.#counted()
    this.#watchedReplays = this.#watched()
    const duplicates = () => (this.failing ? 0.1 : 0)
    this.deadLetters = new SimQueue(this.timeline, this.luck, {
      visibility: 60_000,
      retention: DEAD_LETTERS.retentionSeconds * 1000,
      duplicates,
    })
    this.queue = new SimQueue(this.timeline, this.luck, {
      visibility: QUEUE.visibilitySeconds * 1000,
      retention: QUEUE.retentionSeconds * 1000,
      maxReceives: QUEUE.maxReceiveCount,
      onDead: ({ text, said, sentAt }) => this.deadLetters.send(text, said, sentAt),
      duplicates,
    })
    this.#wire = wire(this.timeline, this.luck, this.luck.pick([0.02, 0.1, 0.3]), {
      note: (process, name, what) => this.ledger.note(process.name, name, what),
      count: (call, fault) => this.faults.push({ call, fault }),
      mayFail: index => {
        this.faultsSeen = index + 1
        return this.failing && !without?.has(index)
      },
    })
  }

  get failing(): boolean {
    return this.timeline.now < this.faultsEnd
  }

  newProcess(kind: string, skew = this.luck.between(-5_000, 5_000)): Process {
    return { name: `${kind}#${this.#processes++}`, skew, alive: true, fences: new Set(), handling: false }
  }

  remote<Answer>(
    process: Process,
    name: string,
    apply: (attempt: 1 | 2) => Answer,
    lost: () => Answer,
    refused = lost,
    fence?: string,
  ): Promise<Awaited<Answer>> {
    const within = (attempt: 1 | 2): Answer => {
      this.ledger.writing = { process, name, fence }
      try {
        return apply(attempt)
      } finally {
        this.ledger.writing = undefined
      }
    }
    return this.#wire.call({ process, name, apply: within, lost, refused }) as Promise<Awaited<Answer>>
  }

  /** The world as one process sees it: the real ports, at the far end of the wire. */
  world(process: Process): RecoverWorld & BuryWorld {
    const wired = this.#wired(process)
    const far = <Port extends object>(port: Port): Port => new Proxy(port, wired) as Port
    return {
      environment: 'simulation',
      sources: this.sources,
      secrets: far(this.#secretStore),
      events: far(this.#events),
      bodies: far(this.bodies),
      queue: this.#queuePort(process),
      recovery: far(this.#recovery),
      work: far(this.#countedWork),
      now: () => millis(this.timeline.now + process.skew),
      newFence: () => {
        const fence = (this.#fences++).toString(16).padStart(32, '0') as Fence
        process.fences.add(fence)
        return fence
      },
      leaseMillis: millis(15_000),
    }
  }

  operatorWorld(process: Process): RecoverWorld & ReplayWorld {
    return {
      ...this.world(process),
      replays: new Proxy(this.#watchedReplays, this.#wired(process)) as ReplayStore,
      pause: millis =>
        new Promise<void>(resolve => {
          this.timeline.after(millis, () => process.alive && resolve())
        }),
    }
  }

  /** Every method of a port that is seen through it is a remote call of the process. */
  #wired(process: Process): ProxyHandler<object> {
    return {
      get: (port, name: string) => {
        const call = port[name as keyof typeof port] as unknown
        if (typeof call !== 'function' || LOCAL.has(name)) return call
        return (...parameters: unknown[]) =>
          this.remote(
            process,
            name,
            () => call(...parameters),
            () => (THROWING.has(name) ? Promise.reject(NO_ANSWER) : LOST),
            undefined,
            FENCED.has(name) ? (parameters[0] as EventRecord).fence : undefined,
          )
      },
    }
  }

  #queuePort(process: Process): Queue {
    const begin = (message: Message): void =>
      this.ledger.sending(message, process, this.records.get(message.id as Fingerprint))
    const enqueue = (message: Message): SendAnswer => {
      const text = messageText(message)
      const said = JSON.parse(text) as Message
      this.ledger.enqueued(said, process)
      this.queue.send(text, said)
      return { kind: 'sent' }
    }
    return {
      send: message => {
        begin(message)
        return this.remote<SendAnswer>(
          process,
          'send',
          () => enqueue(message),
          () => LOST,
          () => REFUSED,
        )
      },
      sendBatch: entries => {
        for (const { message } of entries) begin(message)
        return this.remote<readonly SendAnswer[]>(
          process,
          'sendBatch',
          // SQS answers for each message: some of a batch may fail, and that is certain only of a first attempt.
          attempt => {
            const failed = attempt === 1 ? [LOST, REFUSED] : [LOST]
            return entries.map(({ message }) => (this.#fails(0.05) ? this.luck.pick(failed) : enqueue(message)))
          },
          () => entries.map(() => LOST),
          () => entries.map(() => REFUSED),
        )
      },
    }
  }

  #fails(probability: number): boolean {
    return this.failing && this.luck.happens(probability)
  }

  #counted(): MemoryWork {
    return {
      ...this.work,
      commit: (owned, writes, token, now) => {
        const before = this.work.effects.length
        const answer = this.work.commit(owned, writes, token, now)
        if (this.work.effects.length > before) this.ledger.committed(`${owned.fingerprint}/${owned.generation}`)
        return answer
      },
    }
  }

  #watched(): ReplayStore {
    return {
      ...this.replays,
      begin: async (seen, by, act, body) => {
        // Two writers of one event at the same moment: DynamoDB may refuse both transactions.
        if (this.#fails(0.1)) return { kind: 'contended' }
        const answer = await this.replays.begin(seen, by, act, body)
        if (answer.kind !== 'begun') return answer
        const [audit] = await this.replays.audits(seen.fingerprint, [answer.record.generation])
        this.ledger.check(
          'who began a generation is known from its first moment',
          audit?.fence === by.fence && audit.actor === act.actor && audit.was === seen.status,
          () => `generation ${answer.record.generation}: ${JSON.stringify(audit)}`,
        )
        return answer
      },
    }
  }

  #observedRecords(): Map<Fingerprint, EventRecord> {
    const records = new Map<Fingerprint, EventRecord>()
    const set = records.set.bind(records)
    records.set = (fingerprint, after) => {
      this.ledger.wrote(records.get(fingerprint), after)
      if (records.get(fingerprint)?.claimedAt !== after.claimedAt) this.#indexLater(fingerprint, after.claimedAt)
      return set(fingerprint, after)
    }
    return records
  }

  /** The index is eventually consistent: mostly at once, sometimes after a minute, rarely after many. */
  #indexLater(fingerprint: Fingerprint, claimedAt: number): void {
    const lag = this.failing ? this.luck.pick([5, 5, 50, 1_000, 90_000, 1_500_000]) : 5
    this.timeline.after(lag, () => {
      if (this.records.get(fingerprint)?.claimedAt === claimedAt)
        this.#index.set(fingerprint, listingPosition(claimedAt, fingerprint))
      return STILL
    })
  }

  #recoveryPort(): RecoveryStore {
    return {
      scan: async (after, until, limit) => {
        const end = listingPosition(until, '')
        const listed = [...this.#index]
          .filter(([, at]) => at > after && at <= end)
          .sort(([, left], [, right]) => (left < right ? -1 : 1))
          .slice(0, limit)
        const last = listed.at(-1)
        const records = listed.flatMap(([fingerprint]) => this.records.get(fingerprint) ?? [])
        return { records, reached: last && listed.length === limit ? last[1] : end }
      },
      cursor: async pass => this.#cursors.get(pass),
      moveCursor: async (pass, to) => {
        if (to > (this.#cursors.get(pass) ?? '')) this.#cursors.set(pass, to)
      },
    }
  }
}

const RETAINS = ['none', '7d'] as const

/** A sender that retries, one that never does and one of many events at once, as their users may have set them up. */
export const sourcesOf = (luck: Chance): ReadonlyMap<string, Source> =>
  SOURCES[luck.below(SOURCES.length)] as ReadonlyMap<string, Source>

/** Resolved once: a schedule is a millisecond, and resolving them takes as long. */
const SOURCES = RETAINS.flatMap(retain =>
  ([undefined, 'body'] as const).flatMap(guard =>
    ([undefined, true] as const).map(storeFirst =>
      resolveSources({
        stripe: { provider: 'stripe', retain, ...(storeFirst && { storeFirst }) },
        github: { provider: 'github', retain, ...(guard && { guard }) },
        gocardless: { provider: 'gocardless', retain, ...(storeFirst && { storeFirst }) },
        orders: { provider: 'internal', allow: '*', retain, ...(storeFirst && { storeFirst }) },
      }),
    ),
  ),
)
