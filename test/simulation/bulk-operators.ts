import { type Fence, millis, toSeconds } from '../../functions/domain/brands.ts'
import { type EventRecord, isExpired } from '../../functions/domain/record.ts'
import type { JobView } from '../../functions/operate/job-view.ts'
import { isMeant, isOver, type ReplayFilter } from '../../functions/operate/replay-filter.ts'
import { replayMany } from '../../functions/operate/replay-many.ts'
import { cancelJob, startJob } from '../../functions/operate/start-job.ts'
import type { Bulk } from './bulk-replays.ts'
import type { Process } from './faults.ts'
import { DAY } from './ingredients.ts'
import type { Chance } from './random.ts'
import type { Rig, SimWorld } from './rig.ts'

/** How many schedules have jobs. */
const BULK = 0.06
const MOST_RUNS = 4
const PATIENCE_MS = 120_000
/** By then the listing knows what was written before: its index lags by up to 25 minutes while there are faults. */
const LISTED_MS = 1_600_000

/** Somebody replays many events at once: while there are faults, and when all has been over for a while. */
export const replayInBulk = (rig: Rig, luck: Chance): void => {
  const { timeline, ingredients, focus, faultsEnd, troubleEnds } = rig
  // Of an event with several destinations the one that failed is replayed, and the event keeps its place in the listing.
  if (ingredients.destined || !luck.happens(focus.bulk ? 1 : BULK)) return
  if (luck.happens(0.5)) timeline.at(luck.between(timeline.now + 20_000, faultsEnd), () => begin(rig, luck))
  rig.pending++
  timeline.at(troubleEnds + LISTED_MS + luck.between(60_000, 600_000), () => {
    rig.pending--
    begin(rig, luck)
  })
}

interface Order {
  readonly bulk: Bulk
  readonly filter: ReplayFilter
  /** What it has to meet. */
  readonly listed: readonly EventRecord[]
}

const someone = (rig: Rig, luck: Chance): Process =>
  rig.newProcess('operator', luck.between(-rig.ingredients.skew, rig.ingredients.skew))

/** A day is enough: what was over before the trouble ended is in it, unless the trouble was longer. */
const begin = (rig: Rig, luck: Chance): void => {
  const { timeline, records, ledger } = rig
  const process = someone(rig, luck)
  const status = luck.pick([undefined, 'failed', 'done'] as const)
  const filter = { status, from: millis(timeline.now - 2 * DAY), until: millis(timeline.now + DAY) }
  const rate = luck.pick([1, 2, 10])
  const listed = [...records.values()].filter(
    record =>
      isOver(record) &&
      isMeant(record, filter) &&
      record.claimedAt > timeline.now - DAY &&
      record.claimedAt + LISTED_MS < timeline.now,
  )
  const request = { filter, reason: 'simulated', expected: listed.length, rate }
  rig.pending++
  const isOverInTime = ending(rig, process)
  const newFence = () => String(luck.below(1e12)).padStart(12, '0') as Fence
  void startJob({ ...rig.world(process), actor: process.name, newFence }, request).then(
    ({ id }) => {
      if (!isOverInTime()) return
      rig.count('bulkReplays')
      const bulk: Bulk = { id, rate, onlyFailed: status === 'failed', begun: new Set() }
      const order = { bulk, filter, listed }
      run(rig, luck, order, process, 1)
      if (luck.happens(0.4)) timeline.after(luck.between(0, 5_000), () => run(rig, luck, order, someone(rig, luck), 2))
      if (luck.happens(0.2)) timeline.after(luck.between(0, 20_000), () => cancel(rig, luck, bulk))
    },
    error => {
      isOverInTime()
      ledger.note(process.name, `threw ${error}`)
    },
  )
}

/** Whoever waits gives up one day; says whether that day has not come. */
const ending = (rig: Rig, process: Process): (() => boolean) => {
  let isOpen = true
  const end = (): boolean => {
    if (!isOpen) return false
    isOpen = false
    rig.pending--
    return true
  }
  rig.timeline.after(PATIENCE_MS, () => {
    if (end()) process.alive = false
  })
  return end
}

/** A run may be killed half way, or find that a service does not answer: then somebody resumes the job. */
const run = (rig: Rig, luck: Chance, order: Order, process: Process, runs: number): void => {
  const { timeline, ledger } = rig
  const { bulk } = order
  rig.pending++
  const isOverInTime = ending(rig, process)
  const again = (): void => {
    if (runs >= MOST_RUNS) return
    rig.pending++
    timeline.after(luck.between(100, 60_000), () => {
      rig.pending--
      run(rig, luck, order, someone(rig, luck), runs + 1)
    })
  }
  if (luck.happens(0.4))
    timeline.after(luck.between(10, luck.pick([2_000, 8_000])), () => {
      if (!isOverInTime()) return
      process.alive = false
      again()
    })
  ledger.bulk.runs(bulk, process, timeline.now)
  void replayMany({ ...unluckily(rig, process), actor: process.name }, bulk.id).then(
    answer => {
      if (!isOverInTime()) return
      ledger.note(process.name, `is told ${answer.kind}`)
      if (answer.kind === 'finished') judge(rig, order, answer.job)
      if (answer.kind === 'unavailable' || luck.happens(0.3)) again()
    },
    () => isOverInTime() && again(),
  )
}

/** When all else is quiet, some find that one replay gets no answer, and end there. Without chance: all others stay as they are. */
const unluckily = (rig: Rig, process: Process): SimWorld => {
  const world = rig.world(process)
  const { begin } = world.replays
  let isNext = process.name.endsWith('5')
  return {
    ...world,
    replays: {
      ...world.replays,
      begin: (...given) => {
        if (!isNext) return begin(...given)
        isNext = false
        return Promise.resolve({ kind: 'unavailable', cause: 'simulated' })
      },
    },
  }
}

const judge = ({ ledger, records, timeline }: Rig, { bulk, listed }: Order, { refused }: JobView): void => {
  const soon = toSeconds(millis(timeline.now + 120_000))
  const untouched = listed.filter(record => records.get(record.fingerprint) === record && !isExpired(record, soon))
  ledger.bulk.finished(bulk, untouched.length, refused)
}

const cancel = (rig: Rig, luck: Chance, bulk: Bulk): void => {
  const process = someone(rig, luck)
  void cancelJob(rig.world(process), bulk.id).then(
    job => {
      if (job?.state === 'cancelled') bulk.cancelledAt ??= rig.timeline.now
    },
    () => {},
  )
}
