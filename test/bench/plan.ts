import type { Task } from './child.ts'
import { SIZES, type Size } from './deliveries.ts'
import { VARIANTS, type Variant, WORKERS, type Worker } from './variants.ts'

/** One of a group: which bundle, and what it is called with. */
export interface Member {
  readonly bundle: Variant | Worker
  readonly task: Exclude<Task, { kind: 'batches' }> | { readonly kind: 'batches' }
  /** Without it a quick run has its ratios, too. */
  readonly full?: boolean
}

/** What is measured side by side, since a shared machine is faster in one minute than in the next. */
export type Group = Readonly<Record<string, Member>>

/** The ratios need these; the others are for the tables. */
const QUICK: ReadonlySet<string> = new Set(['lean', 'floor', 'powertools', 'worker', 'workerPowertools'])

const each = (names: readonly (Variant | Worker)[], task: Member['task']): Group =>
  Object.fromEntries(names.map(bundle => [bundle, { bundle, task, full: !QUICK.has(bundle) }]))

const receivers = Object.keys(VARIANTS) as Variant[]
const workers = Object.keys(WORKERS) as Worker[]
const fresh: Member['task'] = { kind: 'new', bytes: SIZES['8KB'] }
const control: Member = { bundle: 'powertools', task: fresh }

/** Init and first call of fresh processes, one after the other. */
export const COLD = {
  // The floor speaks TLS alone.
  plain: each(
    receivers.filter(name => name !== 'floor'),
    fresh,
  ),
  tls: { ...each(receivers, fresh), sdk: { bundle: 'sdk', task: fresh } },
  coldWorker: each(workers, { kind: 'batches' }),
} as const satisfies Record<string, Group>

const sized = (size: Size): Group =>
  Object.fromEntries(
    (['lean', 'powertools'] as const).map(bundle => [
      `${size} ${bundle}`,
      { bundle, task: { kind: 'new', bytes: SIZES[size] }, full: size === '100KB' },
    ]),
  )

export interface Warm {
  /** Calls before anything is measured: V8 has compiled by then what a process that goes on for hours runs. */
  readonly before: number
  /** Calls with a small body before those: a process that only had a hundred large ones runs code that V8 has not optimised yet. */
  readonly smallBefore?: number
  /** Calls in a turn. */
  readonly calls: number
  readonly members: Group
}

/** Processes that stand side by side, and take turns. */
export const WARM = {
  new: { before: 600, calls: 20, members: { ...each(receivers, fresh), control } },
  duplicate: { before: 900, calls: 30, members: each(receivers, { kind: 'duplicate', bytes: SIZES['8KB'] }) },
  forged: { before: 600, calls: 100, members: all(each(receivers, { kind: 'forged', bytes: SIZES['8KB'] })) },
  size: { before: 100, smallBefore: 600, calls: 8, members: { ...sized('1KB'), ...sized('100KB'), ...sized('1MB') } },
  worker: { before: 60, calls: 4, members: each(workers, { kind: 'batches' }) },
} as const satisfies Record<string, Warm>

function all(group: Group): Group {
  return Object.fromEntries(Object.entries(group).map(([name, member]) => [name, { ...member, full: true }]))
}
