import { drain } from './drain.ts'
import { Machine } from './machine.ts'
import { Missing, taken } from './missing.ts'
import { begin } from './move.ts'
import { type Bound, instant, type Kind, keyOf, type Position } from './position.ts'
import type { Setup } from './programs.ts'
import { type Step, stepsFrom } from './steps.ts'

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

interface Frame {
  readonly key: string
  readonly steps: readonly Step[]
  next: number
  sum: bigint
}

const ENOUGH_VIOLATIONS = 3

/** Every order in which two deliveries of one event, one recovery and one consumer can meet, within the bound. */
export const search = async (setup: Setup, bound: Bound): Promise<Found> => {
  const machine = new Machine()
  const first = await machine.first()
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
    found.interleavings += await visit(await taken(() => begin(machine, setup, bound, first, starts)))
  }
  return { ...found, checks: machine.checks, executions: machine.locals.executions }
}

const attempt = (step: Step): Position | undefined => {
  try {
    return step.to()
  } catch (error) {
    if (error instanceof Missing) return undefined
    throw error
  }
}

/** A start is seen by nobody but the clock: it happens at once, or right after a leap. The two deliveries are alike. */
const startsWithin = (leaps: number): [number, number, number][] => {
  const counts = Array.from({ length: leaps + 1 }, (_, index) => index)
  return counts.flatMap(first =>
    counts
      .filter(second => second >= first)
      .flatMap(second => counts.map((third): [number, number, number] => [first, second, third])),
  )
}

const countFault = ({ faults }: Found, [call, kind]: readonly [string, Kind]): void => {
  const byKind = faults[call] ?? {}
  faults[call] = byKind
  byKind[kind] = (byKind[kind] ?? 0) + 1
}
