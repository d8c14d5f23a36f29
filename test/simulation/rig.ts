import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { secretsManagerSecrets } from '../../functions/adapters/secrets-manager-secrets.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import type { Burying } from '../../functions/bury/bury.ts'
import { type Fence, type Fingerprint, type Millis, millis } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { Consuming, Receiving } from '../../functions/domain/world.ts'
import type { Replaying } from '../../functions/operate/replay.ts'
import type { Recovering } from '../../functions/recover/recover.ts'
import { type MemoryAws, memoryAws } from '../../lib/memory-aws/memory-aws.ts'
import type { Described } from './describe-call.ts'
import { farAws } from './far-aws.ts'
import { type Injected, type Process, type RemoteCall, wire } from './faults.ts'
import { Ledger } from './ledger.ts'
import { type Chance, chance } from './random.ts'
import { FIRST_SECRETS } from './sim-secrets.ts'
import { sourcesOf } from './sim-sources.ts'
import { Timeline } from './timeline.ts'
import { NAMES, RESOURCES, watchWrites } from './watch-writes.ts'

export interface Run {
  readonly seed: number
  readonly tracing?: boolean
  /** Faults by their number that a shrunk run leaves out. */
  readonly without?: ReadonlySet<number>
}

/** Everything that a process of ours reaches for. */
export type SimWorld = Receiving & Recovering & Burying & Consuming & Replaying

export type Call<Answer> = RemoteCall<Answer> & Described

/** Everything of one schedule that is not an actor: time, chance, AWS, and the wire between. */
export interface Rig {
  readonly timeline: Timeline
  readonly luck: Chance
  readonly ledger: Ledger
  readonly aws: MemoryAws
  /** As the table holds them. */
  readonly records: ReadonlyMap<Fingerprint, EventRecord>
  readonly faults: readonly Injected[]
  readonly faultsSeen: number
  readonly faultsEnd: number
  readonly failing: boolean
  /** May change while a schedule runs. */
  sources: ReadonlyMap<string, Source>
  /** Something happens, of what happens only while there are faults. */
  fails(probability: number): boolean
  /** Whether a partition of the listing ever held something. */
  everListed(partition: unknown): boolean
  newProcess(kind: string, skew?: number): Process
  remote<Answer>(call: Call<Answer>): Promise<Answer>
  /** The world as one process sees it: the stores that ship, with AWS at the far end of the wire. */
  world(process: Process): SimWorld
}

/** The index is eventually consistent: mostly at once, sometimes after a minute, rarely after many. */
const INDEX_LAGS = [5, 5, 50, 1_000, 90_000, 1_500_000] as const

const FAULT_RATES = [0.02, 0.1, 0.3] as const

export const makeRig = ({ seed, tracing = false, without }: Run): Rig => {
  const timeline = new Timeline()
  const luck = chance(seed)
  const ledger = new Ledger(timeline, tracing)
  const faults: Injected[] = []
  const faultsEnd = timeline.now + luck.between(30_000, 300_000)
  const isFailing = (): boolean => timeline.now < faultsEnd
  const { aws, records, listed } = watchedAws(timeline, ledger, () => (isFailing() ? luck.pick(INDEX_LAGS) : 5))
  const { newProcess, newFence } = processes(luck)
  let faultsSeen = 0

  const far = wire(timeline, luck, luck.pick(FAULT_RATES), {
    note: (process, name, what) => ledger.note(process.name, name, what),
    count: (call, fault) => faults.push({ call, fault }),
    mayFail: index => {
      faultsSeen = index + 1
      return isFailing() && !without?.has(index)
    },
  })

  const rig: Rig = {
    timeline,
    luck,
    ledger,
    aws,
    records,
    faults,
    faultsEnd,
    sources: sourcesOf(luck),
    get faultsSeen() {
      return faultsSeen
    },
    get failing() {
      return isFailing()
    },
    fails: probability => isFailing() && luck.happens(probability),
    everListed: partition => listed.has(partition),
    newProcess,
    remote: call => far.call({ ...call, apply: attempt => carriedOut(ledger, call, attempt) }),
    world: process => worldOf(rig, process, () => newFence(process)),
  }
  return rig
}

const processes = (luck: Chance) => {
  let count = 0
  let fences = 0
  return {
    newProcess: (kind: string, skew = luck.between(-5_000, 5_000)): Process => ({
      name: `${kind}#${count++}`,
      skew,
      alive: true,
      fences: new Set(),
      handling: false,
    }),
    newFence: (process: Process): Fence => {
      const fence = (fences++).toString(16).padStart(32, '0') as Fence
      process.fences.add(fence)
      return fence
    },
  }
}

const watchedAws = (timeline: Timeline, ledger: Ledger, indexLag: () => number) => {
  const records = new Map<Fingerprint, EventRecord>()
  const listed = new Set<unknown>()
  const watch = watchWrites({
    wrote: (before, after) => {
      ledger.wrote(before, after)
      records.set(after.fingerprint, after)
    },
    committed: key => ledger.committed(key),
  })
  const aws = memoryAws({
    ...RESOURCES,
    secrets: FIRST_SECRETS,
    now: () => timeline.now,
    indexLag,
    onWrite: (table, before, after) => {
      if (after?.listing !== undefined) listed.add(after.listing)
      watch(table, before, after)
    },
  })
  return { aws, records, listed }
}

/** Who writes is known while a call is carried out, and a call that AWS finds malformed is a bug of ours. */
const carriedOut = <Answer>(ledger: Ledger, { process, name, apply, fence }: Call<Answer>, attempt: 1 | 2): Answer => {
  ledger.writing = { process, name, fence }
  try {
    return apply(attempt)
  } catch (error) {
    ledger.check('AWS finds nothing wrong with a call', false, () => `${process.name} ${name}: ${error}`)
    return undefined as Answer
  } finally {
    ledger.writing = undefined
  }
}

const LEASE = millis(15_000)

const worldOf = (rig: Rig, process: Process, newFence: () => Fence): SimWorld => {
  const { timeline, sources } = rig
  const far = farAws(rig, process)
  const now = (): Millis => millis(timeline.now + process.skew)
  return {
    environment: 'simulation',
    sources,
    secrets: secretsManagerSecrets(far, NAMES, now),
    ...storesOver(far, NAMES, EVERY_STORE, now),
    now,
    newFence,
    random: () => 0,
    leaseMillis: LEASE,
    pause: delay =>
      new Promise<void>(resolve => {
        timeline.after(delay, () => process.alive && resolve())
      }),
  }
}
