import type { Outcome } from '../../../functions/domain/outcome.ts'
import { NOON } from '../../support/events.ts'
import { drain, received } from './drain.ts'
import type { Answer, Call, Local } from './local.ts'
import { Machine, type SharedId } from './machine.ts'
import { Missing, taken } from './missing.ts'
import { consumer, delivery, type Program, recovery, type Setup } from './programs.ts'
import { EMPTY, type Shared } from './shared-state.ts'

/** What can become of one remote call, besides being carried out and answered. */
export const KINDS = [
  'lost-request',
  'lost-answer',
  'late',
  'sdk-retry',
  'refused',
  'death-before',
  'death-after',
] as const
export type Kind = (typeof KINDS)[number]

export interface Bound {
  readonly faults: number
  /** How often the clock leaps past every lease and past recovery's first lag. */
  readonly leaps: number
}

export interface Found {
  states: number
  transitions: number
  interleavings: bigint
  endings: number
  checks: number
  executions: number
  readonly faults: Record<string, Partial<Record<Kind, number>>>
  readonly violations: {
    readonly setup: Setup
    readonly violations: readonly string[]
    readonly trace: readonly string[]
  }[]
}

/** More than a lease (15 s) and recovery's first lag (135 s); two of them are less than the age a signature may have. */
const LEAP_MS = 140_000
/** One recovery: its cursor is nobody else's. */
const PRIVATE: ReadonlySet<string> = new Set(['cursor'])
const LOST: Answer = { id: 'lost', kind: 'lost' }
const REFUSED: Answer = { id: 'refused', kind: 'refused' }
const ENOUGH_VIOLATIONS = 3

interface Held {
  readonly call: number
  readonly answer: Answer
  readonly leaps: number
}

interface Actor {
  /** `undefined` before its start, after its end and after its death. */
  readonly local: Local | undefined
  readonly phase: 'waits' | 'runs' | 'over'
  readonly program: Program | undefined
  /** Leaps until it starts. */
  readonly startIn: number
  /** Answers that arrive only after so many leaps: it is frozen, or the network is slow. */
  readonly held: readonly Held[]
  /** Calls that were carried out once already, and that the SDK sends again. */
  readonly again: readonly number[]
  readonly leapsAtStart: number
  readonly deadlinePassed: boolean
  readonly atClaim: Shared['records'][number] | undefined
  readonly acknowledged: boolean
}

interface Position {
  readonly shared: SharedId
  readonly actors: readonly Actor[]
  /** Sent, given up by their caller, not yet arrived. */
  readonly late: readonly { readonly call: Call; readonly handling: boolean }[]
  readonly faults: number
  readonly leaps: number
}

interface Step {
  readonly label: string
  readonly to: () => Position
  readonly fault?: readonly [string, Kind]
}

interface Frame {
  readonly key: string
  readonly steps: readonly Step[]
  next: number
  sum: bigint
}

const attempt = (step: Step): Position | undefined => {
  try {
    return step.to()
  } catch (error) {
    if (error instanceof Missing) return undefined
    throw error
  }
}

const CONSUMER = 3

/** Every order in which two deliveries of one event, one recovery and one consumer can meet, within the bound. */
export const search = async (setup: Setup, bound: Bound): Promise<Found> => {
  const machine = new Machine()
  const counts = new Map<string, bigint>()
  const drained = new Set<string>()
  const path: string[] = []
  const found: Found = {
    states: 0,
    transitions: 0,
    interleavings: 0n,
    endings: 0,
    checks: 0,
    executions: 0,
    faults: {},
    violations: [],
  }

  const stack: Frame[] = []

  const enter = async (position: Position): Promise<bigint> => {
    const key = keyOf(position)
    const known = counts.get(key)
    if (known !== undefined) return known
    found.states++
    const steps = stepsFrom(machine, setup, bound, position)
    if (steps.length === 0) await end(position)
    stack.push({ key, steps, next: 0, sum: steps.length === 0 ? 1n : 0n })
    return 0n
  }

  const leave = ({ key, sum }: Frame): void => {
    stack.pop()
    path.pop()
    counts.set(key, sum)
    const above = stack.at(-1)
    if (above) above.sum += sum
  }

  const follow = async (frame: Frame, step: Step): Promise<void> => {
    found.transitions++
    if (step.fault) countFault(found, step.fault)
    const depth = stack.length
    path.push(step.label)
    const position = attempt(step) ?? (await taken(step.to))
    if (!violated()) frame.sum += await enter(position)
    if (stack.length === depth) path.pop()
  }

  /** Depth first, without recursion: it never waits but for what it meets for the first time. */
  const visit = async (from: Position): Promise<bigint> => {
    const depth = stack.length
    const known = await enter(from)
    if (stack.length === depth) return known
    const root = stack.at(-1)
    for (let frame = stack.at(-1); frame; frame = stack.at(-1)) {
      const step = found.violations.length < ENOUGH_VIOLATIONS ? frame.steps[frame.next++] : undefined
      if (step) await follow(frame, step)
      else leave(frame)
    }
    return root?.sum ?? 0n
  }

  const end = async ({ shared, actors, leaps }: Position): Promise<void> => {
    const acked = actors.some(({ acknowledged }) => acknowledged)
    const key = `${shared} ${acked}`
    if (drained.has(key)) return
    drained.add(key)
    found.endings++
    await drain(machine, setup, shared, acked, instant(bound, leaps))
    violated()
  }

  const violated = (): boolean => {
    if (machine.broken.length === 0) return false
    found.violations.push({ setup, violations: machine.broken, trace: [...path] })
    machine.broken = []
    return true
  }

  for (const starts of startsWithin(bound.leaps)) {
    path.splice(0, path.length, `starts after ${starts.join(', ')} leaps`)
    found.interleavings += await visit(await taken(() => begin(machine, setup, bound, starts)))
  }
  return { ...found, checks: machine.checks, executions: machine.locals.executions }
}

const instant = (bound: Bound, leapsLeft: number): number => NOON + (bound.leaps - leapsLeft) * LEAP_MS

/** A start is seen by nobody but the clock: it happens at once, or right after a leap. The two deliveries are alike. */
const startsWithin = (leaps: number): [number, number, number][] => {
  const counts = Array.from({ length: leaps + 1 }, (_, index) => index)
  return counts.flatMap(first =>
    counts
      .filter(second => second >= first)
      .flatMap(second => counts.map((third): [number, number, number] => [first, second, third])),
  )
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

const begin = (machine: Machine, setup: Setup, bound: Bound, starts: readonly [number, number, number]): Position => {
  const actors = [
    actor(delivery('delivery-1', setup), starts[0]),
    actor(delivery('delivery-2', setup), starts[1]),
    actor(recovery('recovery'), starts[2]),
    actor(undefined, Number.POSITIVE_INFINITY),
  ]
  const position = { shared: machine.number(EMPTY), actors, late: [], ...bound }
  return wake(machine, bound, position)
}

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

const withActor = (position: Position, index: number, change: Partial<Actor>): Position => ({
  ...position,
  actors: position.actors.map((each, place) => (place === index ? { ...each, ...change } : each)),
})

const start = (machine: Machine, bound: Bound, position: Position, index: number, program: Program): Position => {
  const local = machine.start(program, position.shared, instant(bound, position.leaps))
  return settled(
    machine,
    bound,
    withActor(position, index, { local, program, phase: 'runs', startIn: 0, leapsAtStart: position.leaps }),
    index,
  )
}

const tell = (
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
const settled = (machine: Machine, bound: Bound, position: Position, index: number): Position => {
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
const gone = (machine: Machine, position: Position, index: number, acknowledged = false): Position =>
  forgotten(
    machine,
    withActor(position, index, { ...OVER, acknowledged }),
    position.actors[index]?.local?.program.name ?? '',
  )

const OVER = { local: undefined, phase: 'over', program: undefined, held: [], again: [], atClaim: undefined } as const
const isThrown = (value: unknown): boolean => typeof value === 'object' && value !== null && 'threw' in value

/**
 * Where a process has nothing left but a call that no other's step can tell from one that came later or sooner, only that call
 * is followed here: every other order has the same outcome.
 */
const stepsFrom = (machine: Machine, setup: Setup, bound: Bound, position: Position): Step[] => {
  const apart = position.actors.findIndex(isApart)
  if (apart >= 0) return actorSteps(machine, bound, position, apart)
  return [
    ...position.actors.flatMap((_, index) => actorSteps(machine, bound, position, index)),
    ...receiveSteps(machine, setup, bound, position),
    ...position.late.map(
      (late, place): Step => ({
        label: `${late.call.by} ${late.call.name} arrives late`,
        to: () => arrive(machine, bound, position, place),
      }),
    ),
    ...(position.leaps > 0 ? [{ label: 'the clock leaps', to: () => leap(machine, bound, position) }] : []),
  ]
}

/** Recovery's cursor is read by the next recovery only, and a message that was received is received by nobody else. */
const APART: ReadonlySet<string> = new Set(['moveCursor', 'delete'])

const isApart = ({ phase, local, held }: Actor): boolean => {
  const [call, ...others] = local?.pending ?? []
  return phase === 'runs' && call !== undefined && others.length === 0 && held.length === 0 && APART.has(call.name)
}

/** The one consumer is handed any message there is. */
const receiveSteps = (machine: Machine, setup: Setup, bound: Bound, position: Position): Step[] =>
  position.actors[CONSUMER]?.phase !== 'waits'
    ? []
    : machine.state(position.shared).queue.map(message => ({
        label: `consumer receives ${message.id}`,
        to: () => {
          const program = consumer('consumer', setup, { ...message, receives: message.receives + 1 })
          const shared = received(machine, position.shared, message.id)
          return start(machine, bound, { ...position, shared }, CONSUMER, program)
        },
      }))

/** What the invariants remember of a process is of no use once nothing of it is left. */
const forgotten = (machine: Machine, position: Position, name: string): Position => {
  if (position.late.some(({ call }) => call.by === name)) return position
  return { ...position, shared: machine.without(position.shared, name) }
}

const arrive = (machine: Machine, bound: Bound, position: Position, place: number): Position => {
  const { call, handling } = position.late[place] as Position['late'][number]
  const { shared } = machine.apply(position.shared, call, instant(bound, position.leaps), handling)
  const after = { ...position, shared, late: position.late.filter((_, index) => index !== place) }
  const lives = after.actors.some(({ local }) => local?.program.name === call.by)
  return lives ? after : forgotten(machine, after, call.by)
}

const leap = (machine: Machine, bound: Bound, position: Position): Position =>
  wake(machine, bound, {
    ...position,
    leaps: position.leaps - 1,
    actors: position.actors.map(each => ({
      ...each,
      startIn: Math.max(0, each.startIn - 1),
      held: each.held.map(held => ({ ...held, leaps: held.leaps - 1 })),
    })),
  })

const actorSteps = (machine: Machine, bound: Bound, position: Position, index: number): Step[] => {
  const { local, held, again, deadlinePassed, leapsAtStart } = position.actors[index] as Actor
  if (!local) return []
  const open = local.pending.filter(call => !held.some(each => each.call === call.index))
  const steps = open.flatMap(call => callSteps(machine, bound, position, index, call, again.includes(call.index)))
  const late = index === CONSUMER && !deadlinePassed && leapsAtStart > position.leaps
  return late ? [...steps, deadline(machine, bound, position, index, local)] : steps
}

const deadline = (machine: Machine, bound: Bound, position: Position, index: number, local: Local): Step => ({
  label: `${local.program.name} deadline`,
  to: () => {
    const next = machine.observe(local, { of: 'deadline' }, position.shared, instant(bound, position.leaps))
    return settled(machine, bound, withActor(position, index, { local: next, deadlinePassed: true }), index)
  },
})

const callSteps = (
  machine: Machine,
  bound: Bound,
  position: Position,
  index: number,
  call: Call,
  retried: boolean,
): Step[] => {
  const local = position.actors[index]?.local as Local
  const now = instant(bound, position.leaps)
  const name = `${local.program.name} ${call.name}`

  const carriedOut = (from: Position): { at: Position; answer: Answer } => {
    const atClaim = call.name === 'claim' ? { atClaim: machine.state(from.shared).records[0] } : {}
    const { shared, answer } = machine.apply(from.shared, call, now, local.handling)
    return { at: withActor({ ...from, shared }, index, atClaim), answer }
  }
  /** The answer arrives now, or after so many leaps. */
  const answered = (label: string, reach: () => { at: Position; answer: Answer }, kind?: Kind): Step[] =>
    Array.from({ length: position.leaps + 1 }, (_, leaps) => ({
      label: leaps === 0 ? label : `${label}, frozen for ${leaps} leaps`,
      ...(kind && { fault: [call.name, kind] as const }),
      to: () => {
        const { at, answer } = reach()
        const held = [...(at.actors[index] as Actor).held, { call: call.index, answer, leaps }]
        return leaps === 0 ? tell(machine, bound, at, index, call.index, answer) : withActor(at, index, { held })
      },
    }))
  const fault = (kind: Kind, to: (from: Position) => Position): Step => ({
    label: `${name} ${kind}`,
    fault: [call.name, kind],
    to: () => to(spent),
  })

  const spent = { ...position, faults: position.faults - 1 }
  const normal = answered(name, () => carriedOut(position))
  if (position.faults === 0) return normal
  const late = { call, handling: local.handling }
  return [
    ...normal,
    ...answered(`${name} lost-request`, () => ({ at: spent, answer: LOST }), 'lost-request'),
    ...answered(`${name} lost-answer`, () => ({ ...carriedOut(spent), answer: LOST }), 'lost-answer'),
    ...answered(`${name} late`, () => ({ at: { ...spent, late: [...spent.late, late] }, answer: LOST }), 'late'),
    ...(call.name === 'send' && !retried
      ? answered(`${name} refused`, () => ({ at: spent, answer: REFUSED }), 'refused')
      : []),
    ...(retried
      ? []
      : [
          fault('sdk-retry', from => {
            const { at } = carriedOut(from)
            return withActor(at, index, { again: [...(at.actors[index] as Actor).again, call.index] })
          }),
        ]),
    fault('death-before', from => gone(machine, from, index)),
    fault('death-after', from => gone(machine, carriedOut(from).at, index)),
  ]
}

const countFault = ({ faults }: Found, [call, kind]: readonly [string, Kind]): void => {
  const byKind = faults[call] ?? {}
  faults[call] = byKind
  byKind[kind] = (byKind[kind] ?? 0) + 1
}

/** Two positions with the same key have the same future. */
const keyOf = ({ shared, actors, late, faults, leaps }: Position): string => {
  const parts = actors.map(each => {
    if (each.phase === 'over') return each.acknowledged ? 'acked' : 'over'
    if (each.phase === 'waits') return `waits ${each.startIn}`
    const held = each.held.map(({ call, answer, leaps: left }) => `${call}:${answer.id}:${left}`).sort()
    const { local, again, deadlinePassed, leapsAtStart, atClaim } = each
    return `${local?.id} ${held} ${again} ${deadlinePassed} ${leapsAtStart > leaps} ${atClaim?.status}${atClaim?.generation}`
  })
  return `${shared}|${parts.join('|')}|${late.map(({ call, handling }) => `${call.id}${handling}`).sort()}|${faults}|${leaps}`
}
