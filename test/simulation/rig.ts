import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { sqsVisibility } from '../../functions/adapters/sqs-visibility.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import type { Burying } from '../../functions/bury/bury.ts'
import { type Fence, type Fingerprint, type Millis, millis } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { Consuming, Receiving, World } from '../../functions/domain/world.ts'
import type { FanningOut } from '../../functions/fan-out/make-copy.ts'
import type { Reverifying } from '../../functions/operate/quarantine.ts'
import type { Replaying } from '../../functions/operate/replay.ts'
import type { KeepingPauses } from '../../functions/recover/keep-pauses.ts'
import type { Recovering } from '../../functions/recover/recover.ts'
import { type MemoryAws, memoryAws } from '../../lib/memory-aws/memory-aws.ts'
import type { Described } from './describe-call.ts'
import { bodiesIn } from './erasures.ts'
import { farAws } from './far-aws.ts'
import { type Injected, type Process, type RemoteCall, wire } from './faults.ts'
import type { Focus } from './focus.ts'
import { type Ingredients, ingredientsOf } from './ingredients.ts'
import { leanAws } from './lean-aws.ts'
import { Ledger } from './ledger.ts'
import { lookBefore } from './look-before.ts'
import { mappingsOf } from './pauses.ts'
import { type Chance, chance } from './random.ts'
import { DESTINATION_QUEUES, DESTINATION_URLS, leadsOf } from './sim-destinations.ts'
import { FIRST_SECRETS } from './sim-secrets.ts'
import { sourcesOf } from './sim-sources.ts'
import { Timeline } from './timeline.ts'
import { warmSecrets } from './warm-secrets.ts'
import { NAMES, resourcesWith, watchWrites } from './watch-writes.ts'
import { noCounts, type WorldCounts } from './world-counts.ts'

export interface Run {
  readonly seed: number
  readonly tracing?: boolean
  /** Faults by their number that a shrunk run leaves out. */
  readonly without?: ReadonlySet<number>
  readonly focus?: Focus | undefined
}

/** Everything that a process of ours reaches for. */
export type SimWorld = Receiving &
  Recovering &
  Burying &
  Consuming &
  Replaying &
  FanningOut &
  KeepingPauses &
  Reverifying &
  World<'jobs' | 'erasures'>

export type Call<Answer> = RemoteCall<Answer> & Described

/** Everything of one schedule that is not an actor: time, chance, AWS, and the wire between. */
export interface Rig {
  readonly timeline: Timeline
  readonly luck: Chance
  /** For what was added later: all that has no part in it stays as it was. */
  readonly apart: Chance
  readonly aside: Chance
  readonly ledger: Ledger
  readonly aws: MemoryAws
  readonly ingredients: Ingredients
  readonly focus: Focus
  /** Its processes call AWS by the client that ships, and not at the wire. */
  readonly isLean: boolean
  /** Each page of a list has one entry: of what recovery walks, of what a job replays, and of the sender's own list. */
  readonly isPaged: boolean
  /** A release was rolled back: half of the messages are of a later version than its workers know. */
  readonly isRolledBack: boolean
  /** How often things of the world really happened. */
  readonly counts: WorldCounts
  /** Of those who sleep until something happens. */
  readonly wakers: (() => void)[]
  /** As the table holds them. */
  readonly records: ReadonlyMap<Fingerprint, EventRecord>
  readonly faults: readonly Injected[]
  readonly faultsSeen: number
  readonly faultsEnd: number
  readonly failing: boolean
  /** Faults or an outage: nobody is to blame for not getting on. */
  readonly troubled: boolean
  /** The last trouble is over then. */
  readonly troubleEnds: number
  /** The destinations whose messages are not handed out. */
  readonly stopped: Set<string>
  /** Acts that are still to come, however quiet it is. */
  pending: number
  /** The event whose body nobody can read, by a name that has its fingerprint in it. */
  isUnreadable(name: string): boolean
  unreadable: Fingerprint | undefined
  count(what: keyof WorldCounts): void
  wake(): void
  /** May change while a schedule runs. */
  sources: ReadonlyMap<string, Source>
  /** Something happens, of what happens only while there are faults. */
  fails(probability: number): boolean
  /** Whether a partition of the listing ever held something. */
  everListed(partition: unknown): boolean
  newProcess(kind: string, skew?: number): Process
  remote<Answer>(call: Call<Answer>): Promise<Answer>
  /** The world as one process sees it: the stores that ship, with AWS at the far end of the wire. */
  world(process: Process, queueUrl?: string): SimWorld
}

/** The index is eventually consistent: mostly at once, sometimes after a minute, rarely after many. */
const INDEX_LAGS = [5, 5, 50, 1_000, 90_000, 1_500_000] as const

/** Each of its calls is signed, written as JSON and read again. */
const LEAN_EVERY = 10

/** How many schedules begin with recovery's first run of all. */
const NEW_STACKS = 0.1
const ROLLED_BACK = { every: 20, at: 7 } as const
const PAGED = { every: 8, at: 3 } as const

/** Any numbers that are far from the seeds. */
const APART = 0x5f356495
const ASIDE = 0x2c1b3c6d

const FAULT_RATES = [0.02, 0.1, 0.3] as const

export const makeRig = ({ seed, tracing = false, without, focus = {} }: Run): Rig => {
  const luck = chance(seed)
  const apart = chance(seed ^ APART)
  const aside = chance(seed ^ ASIDE)
  const ingredients = { ...ingredientsOf(luck, apart, aside), ...focus.world }
  const timeline = new Timeline(ingredients.startsAt)
  const counts = noCounts()
  const ledger = new Ledger(timeline, tracing, name => counts[name]++)
  const faults: Injected[] = []
  // Recovery looks at a claim three minutes after it was made.
  const faultsEnd = timeline.now + luck.between(30_000, ingredients.unreadable ? 900_000 : 300_000)
  const { outage } = ingredients
  const isFailing = (): boolean => timeline.now < faultsEnd
  const isOut = (): boolean => outage !== undefined && outage.from <= timeline.now && timeline.now < outage.until
  const wakers: (() => void)[] = []
  const wake = (): void => {
    for (const each of wakers) each()
  }
  const { aws, records, listed } = watchedAws(timeline, ledger, {
    ingredients,
    indexLag: () => (isFailing() ? luck.pick(INDEX_LAGS) : 5),
    wake,
  })
  if (!luck.happens(NEW_STACKS)) lookBefore(aws, timeline.now)
  const { newProcess, newFence } = processes(luck, ingredients.skew, () => counts.skews++)
  let faultsSeen = 0
  let wasOut = false

  const far = wire(timeline, luck, luck.pick(FAULT_RATES), {
    note: (process, name, what) => ledger.note(process.name, name, what),
    count: (call, fault) => {
      faults.push({ call, fault })
      if (fault === 'malformed') counts.malformedAnswers++
    },
    mayFail: index => {
      faultsSeen = index + 1
      return isFailing() && !without?.has(index)
    },
    isDown: service => {
      const isDown = outage?.service === service && isOut()
      if (isDown && !wasOut) counts.outages++
      wasOut ||= isDown
      return isDown
    },
    malformed: ingredients.malformed,
    often: new Set(focus.often),
    kinds: focus.kinds ?? {},
  })

  const secretsFor = warmSecrets(luck)

  const rig: Rig = {
    timeline,
    luck,
    apart,
    aside,
    ledger,
    aws,
    ingredients,
    focus,
    isLean: focus.lean ?? seed % LEAN_EVERY === 0,
    isPaged: focus.paged ?? seed % PAGED.every === PAGED.at,
    isRolledBack: focus.rolledBack ?? seed % ROLLED_BACK.every === ROLLED_BACK.at,
    counts,
    wakers,
    records,
    faults,
    faultsEnd,
    sources: sourcesOf(luck, ingredients),
    unreadable: undefined,
    stopped: new Set(),
    pending: 0,
    get faultsSeen() {
      return faultsSeen
    },
    get failing() {
      return isFailing()
    },
    get troubled() {
      return isFailing() || isOut()
    },
    troubleEnds: Math.max(faultsEnd, outage?.until ?? 0),
    isUnreadable: name => {
      const isIt = rig.unreadable !== undefined && name.includes(rig.unreadable)
      if (isIt) counts.permanentFaults++
      return isIt
    },
    count: what => counts[what]++,
    wake,
    fails: probability => isFailing() && luck.happens(probability),
    everListed: partition => listed.has(partition),
    newProcess,
    // Field by field: calls have many shapes, and a spread of many shapes is slow.
    remote: call => {
      const { process, name, service, forbidden, refused } = call
      const mayCall = process.kind !== 'intruder' || name === 'getSecret'
      ledger.check('S6 S7 what is forged or has no id leaves no record', mayCall, () => `${process.name} ${name}`)
      return far.call({
        process,
        name,
        service,
        forbidden,
        refused,
        apply: attempt => carriedOut(ledger, call, attempt),
      })
    },
    world: (process, queueUrl) => worldOf(rig, process, { newFence: () => newFence(process), secretsFor, queueUrl }),
  }
  return rig
}

const processes = (luck: Chance, most: number, skewed: () => void) => {
  let count = 0
  let fences = 0
  return {
    newProcess: (kind: string, skew = luck.between(-most, most)): Process => {
      if (Math.abs(skew) > 5_000) skewed()
      return {
        kind,
        name: `${kind}#${count++}`,
        skew,
        alive: true,
        fences: new Set(),
        guarded: new Set(),
        sending: new Map(),
        handling: new Set(),
        messages: [],
        unsettled: new Set(),
        tries: new Map(),
        conflicts: new Map(),
      }
    },
    newFence: (process: Process): Fence => {
      const fence = (fences++).toString(16).padStart(32, '0') as Fence
      process.fences.add(fence)
      return fence
    },
  }
}

interface Watched {
  readonly ingredients: Ingredients
  readonly indexLag: () => number
  /** Called after each write to a record, and each message that was sent. */
  readonly wake: () => void
}

const watchedAws = (timeline: Timeline, ledger: Ledger, { ingredients, indexLag, wake }: Watched) => {
  const records = new Map<Fingerprint, EventRecord>()
  const listed = new Set<unknown>()
  const watch = watchWrites({
    wrote: (before, after) => {
      if (!ledger.isErasing) ledger.wrote(before, after)
      records.set(after.fingerprint, after)
      wake()
    },
    gone: before => {
      ledger.forget(before)
      records.delete(before.fingerprint)
    },
    committed: key => ledger.committed(key),
  })
  const aws = memoryAws({
    ...resourcesWith(ingredients.receives, ingredients.destined ? DESTINATION_QUEUES : {}),
    secrets: FIRST_SECRETS,
    now: () => timeline.now,
    indexLag,
    // What is erased before its time is gone at once.
    ttlLag: () => (ledger.isErasing === 'at once' ? 0 : ingredients.ttlLag),
    onWrite: (table, before, after) => {
      if (after?.listing !== undefined) listed.add(after.listing)
      if (table === NAMES.bodiesTable) listed.add(after?.fingerprint)
      watch(table, before, after)
    },
  })
  ledger.erasures.bodiesOf = owner => bodiesIn(aws, owner)
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

const {
  claims,
  copies,
  events,
  bodies,
  queue,
  keptBodies,
  recovery,
  failures,
  pauses,
  left,
  work,
  visibility,
  records,
} = EVERY_STORE
const ACCEPTING = { claims, events, bodies, queue }

/** What those reach for who run most often. All eighteen for each invocation took 3 % of the CPU. */
const STORES_OF: Readonly<Record<string, Partial<typeof EVERY_STORE>>> = {
  receive: ACCEPTING,
  publish: ACCEPTING,
  recover: { events, bodies, queue, keptBodies, recovery, failures, pauses, left },
  // Also those who make copies.
  consume: { ...ACCEPTING, copies, work, failures, keptBodies, visibility, records },
}

const WITH_DESTINATIONS = { ...NAMES, destinations: DESTINATION_URLS } as const

interface Place {
  readonly newFence: () => Fence
  readonly secretsFor: ReturnType<typeof warmSecrets>
  readonly queueUrl: string | undefined
}

type Stores = Pick<SimWorld, 'records' | 'recovery'>

/** Few schedules have as many events as a page. */
const onePerPage = <Made extends Stores>(made: Made): Made => {
  const { records, recovery } = made
  return {
    ...made,
    ...(records?.list && { records: { ...records, list: asked => records.list({ ...asked, limit: 1 }) } }),
    ...(recovery && { recovery: { ...recovery, scan: (after, until) => recovery.scan(after, until, 1) } }),
  } satisfies Stores as Made
}

const worldOf = (rig: Rig, process: Process, { newFence, secretsFor, queueUrl }: Place): SimWorld => {
  const { timeline, sources, luck, ingredients } = rig
  process.sources = sources
  process.guards = sources.get('github')?.guard === 'bytes'
  process.leads = leadsOf(sources)
  const wired = farAws(rig, process)
  const far = rig.isLean ? leanAws(rig, process, wired) : wired
  const stores = (STORES_OF[process.kind] ?? EVERY_STORE) as typeof EVERY_STORE
  const now = (): Millis => millis(timeline.now + process.skew)
  const made = storesOver(far, ingredients.destined ? WITH_DESTINATIONS : NAMES, stores, now)
  return {
    environment: 'simulation',
    sources,
    secrets: secretsFor({ process, far, now }),
    ...(rig.isPaged ? onePerPage(made) : made),
    // Each destination hides the messages of its own queue.
    ...(queueUrl !== undefined && { visibility: sqsVisibility(far, { ...NAMES, queueUrl }) }),
    mappings: mappingsOf(rig, process),
    now,
    newFence,
    random: luck.next,
    leaseMillis: LEASE,
    pause: delay =>
      new Promise<void>(resolve => {
        timeline.after(delay, () => process.alive && resolve())
      }),
  }
}
