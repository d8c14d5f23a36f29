import type { Outcome } from '../../../functions/domain/outcome.ts'
import type { Answer, Local } from './local.ts'
import type { Machine, SharedId } from './machine.ts'
import { type Actor, type Bound, instant, type Position, withActor } from './position.ts'
import { delivery, type Program, recovery, type Setup } from './programs.ts'

export const begin = (
  machine: Machine,
  setup: Setup,
  bound: Bound,
  first: SharedId,
  starts: readonly [number, number, number],
): Position => {
  const actors = [
    actor(delivery('delivery-1', setup), starts[0]),
    actor(delivery('delivery-2', setup), starts[1]),
    actor(recovery('recovery'), starts[2]),
    actor(undefined, Number.POSITIVE_INFINITY),
  ]
  const position = { shared: first, actors, late: [], ...bound }
  return wake(machine, bound, position)
}

const actor = (program: Program | undefined, startIn: number): Actor => ({
  local: undefined,
  phase: 'waits',
  program,
  startIn,
  held: [],
  again: [],
  leapsAtStart: 0,
  deadlinePassed: false,
  atClaim: undefined,
  acknowledged: false,
})

/** Whoever is to start now starts, and whatever was held until now arrives. */
const wake = (machine: Machine, bound: Bound, position: Position): Position => {
  let at = position
  for (const index of at.actors.keys()) {
    const { phase, startIn, program } = at.actors[index] as Actor
    if (phase === 'waits' && startIn === 0 && program) at = start(machine, bound, at, index, program)
    for (const { call, answer } of (at.actors[index] as Actor).held.filter(({ leaps }) => leaps === 0)) {
      if (at.actors[index]?.phase === 'runs') at = tell(machine, bound, at, index, call, answer)
    }
  }
  return at
}

export const start = (
  machine: Machine,
  bound: Bound,
  position: Position,
  index: number,
  program: Program,
): Position => {
  const local = machine.start(program, position.shared, instant(bound, position.leaps))
  return settled(
    machine,
    bound,
    withActor(position, index, { local, program, phase: 'runs', startIn: 0, leapsAtStart: position.leaps }),
    index,
  )
}

export const tell = (
  machine: Machine,
  bound: Bound,
  position: Position,
  index: number,
  call: number,
  answer: Answer,
): Position => {
  const before = position.actors[index] as Actor
  const local = machine.observe(
    before.local as Local,
    { of: call, answer },
    position.shared,
    instant(bound, position.leaps),
  )
  const held = before.held.filter(each => each.call !== call)
  const again = before.again.filter(each => each !== call)
  return settled(machine, bound, withActor(position, index, { local, held, again }), index)
}

/** Calls that nobody else can see are answered at once; a process that has ended is over. */
export const settled = (machine: Machine, bound: Bound, position: Position, index: number): Position => {
  const { local, atClaim } = position.actors[index] as Actor
  if (!local) return position
  const now = instant(bound, position.leaps)
  const own = local.pending.find(({ name }) => PRIVATE.has(name))
  if (own) {
    const { shared, answer } = machine.apply(position.shared, own, now, local.handling)
    return tell(machine, bound, { ...position, shared }, index, own.index, answer)
  }
  if (!local.ended || local.pending.length > 0) return position
  const acknowledged =
    index < 2 &&
    !isThrown(local.ended.value) &&
    machine.answered(local.ended.value as Outcome, position.shared, atClaim, now)
  return gone(machine, position, index, acknowledged)
}

/** Ended, or died. */
export const gone = (machine: Machine, position: Position, index: number, acknowledged = false): Position =>
  forgotten(
    machine,
    withActor(position, index, { ...OVER, acknowledged }),
    position.actors[index]?.local?.program.name ?? '',
  )

const OVER = { local: undefined, phase: 'over', program: undefined, held: [], again: [], atClaim: undefined } as const
const isThrown = (value: unknown): boolean => typeof value === 'object' && value !== null && 'threw' in value

/** One recovery: its cursor is nobody else's. */
const PRIVATE: ReadonlySet<string> = new Set(['getItem cursor'])

/** What the invariants remember of a process is of no use once nothing of it is left. */
const forgotten = (machine: Machine, position: Position, name: string): Position => {
  if (position.late.some(({ call }) => call.by === name)) return position
  return { ...position, shared: machine.without(position.shared, name) }
}

export const arrive = (machine: Machine, bound: Bound, position: Position, place: number): Position => {
  const { call, handling } = position.late[place] as Position['late'][number]
  const { shared } = machine.apply(position.shared, call, instant(bound, position.leaps), handling)
  const after = { ...position, shared, late: position.late.filter((_, index) => index !== place) }
  const lives = after.actors.some(({ local }) => local?.program.name === call.by)
  return lives ? after : forgotten(machine, after, call.by)
}

export const leap = (machine: Machine, bound: Bound, position: Position): Position =>
  wake(machine, bound, {
    ...position,
    leaps: position.leaps - 1,
    actors: position.actors.map(each => ({
      ...each,
      startIn: Math.max(0, each.startIn - 1),
      held: each.held.map(held => ({ ...held, leaps: held.leaps - 1 })),
    })),
  })
