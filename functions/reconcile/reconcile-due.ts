import type { Http } from '../domain/api-answer.ts'
import { type Millis, millis } from '../domain/brands.ts'
import type { ListComparison, ReconcilerState } from '../domain/reconciler.ts'
import type { Source } from '../domain/source.ts'
import { type Memory, memoryOf } from './memory.ts'
import { type Reconciling, runSource } from './run-source.ts'

/** Longer than any stretch of a run between two writes of what it has done. */
const LEASE_MS = 180_000

export interface DueOptions {
  /** Aborted when the run has to end: the next one goes on. */
  readonly stop: AbortSignal
  /** How often it is looked who is due. */
  readonly tick: Millis
}

/** The flow: whoever has the lease compares each source that is due, one after the other. Undefined: another run has it. */
export const reconcileDue = async (
  world: Reconciling,
  { stop, tick }: DueOptions,
): Promise<readonly ListComparison[] | undefined> => {
  const fence = world.newFence()
  const lease = () => ({ fence, now: world.now(), leaseUntil: millis(world.now() + LEASE_MS) })
  const begun = await world.reconciler.begin(lease())
  if (begun === undefined) return undefined
  const ended = new AbortController()
  const memory = memoryOf(begun, async state => {
    // Somebody else took over: what this run does from now on is theirs to do.
    if (!(await world.reconciler.save(lease(), state))) ended.abort()
  })
  const until = AbortSignal.any([stop, ended.signal])
  const done: ListComparison[] = []
  for (const source of dueOf(world, memory.state(), tick)) {
    if (until.aborted) break
    const comparison = await runSource(counted(world, memory, source), source, memory, until)
    if (comparison) done.push(comparison)
  }
  // Given back: the next run need not wait for the end of the lease.
  await world.reconciler.save({ ...lease(), leaseUntil: world.now() }, memory.state())
  return done
}

/** Those that have waited longest come first. */
const dueOf = ({ sources, now }: Reconciling, state: ReconcilerState, tick: Millis): readonly Source[] => {
  const startedAt = ({ name }: Source): number => state.sources[name]?.startedAt ?? 0
  // Half a tick early: a schedule is never on the dot.
  const isDue = (source: Source): boolean =>
    source.reconcile !== undefined &&
    (isUnderWay(state, source) || now() + tick / 2 >= startedAt(source) + source.reconcile.every * 1000)
  return [...sources.values()].filter(isDue).sort((left, right) => startedAt(left) - startedAt(right))
}

const isUnderWay = ({ sources }: ReconcilerState, { name }: Source): boolean => (sources[name]?.pass ?? null) !== null

const HOUR_MS = 3_600_000

/** Every call of a sender counts in its hour, whichever of its sources makes it. */
const counted = (world: Reconciling, memory: Memory, { provider: { id } }: Source): Reconciling => {
  const http: Http = request => {
    const now = world.now()
    const known = memory.state().senders[id]
    const isSameHour = known !== undefined && now - known.hour < HOUR_MS
    const hour = isSameHour ? known.hour : now
    memory.note({
      senders: { [id]: { hour, calls: (isSameHour ? known.calls : 0) + 1, notBefore: known?.notBefore ?? now } },
    })
    return world.http(request)
  }
  return { ...world, http }
}
