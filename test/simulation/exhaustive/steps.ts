import { NAMES } from '../watch-writes.ts'
import type { Answer, Call, Local } from './local.ts'
import type { Machine } from './machine.ts'
import { arrive, gone, leap, settled, start, tell } from './move.ts'
import { type Actor, type Bound, CONSUMER, instant, type Kind, type Position, withActor } from './position.ts'
import { consumer, type Setup } from './programs.ts'

export interface Step {
  readonly label: string
  readonly to: () => Position
  readonly fault?: readonly [string, Kind]
}

/**
 * Where a process has nothing left but a call that no other's step can tell from one that came later or sooner, only that call
 * is followed here: every other order has the same outcome.
 */
export const stepsFrom = (machine: Machine, setup: Setup, bound: Bound, position: Position): Step[] => {
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
const APART: ReadonlySet<string> = new Set(['moveCursor', 'deleteMessages'])

const isApart = ({ phase, local, held }: Actor): boolean => {
  const [call, ...others] = local?.pending ?? []
  return phase === 'runs' && call !== undefined && others.length === 0 && held.length === 0 && APART.has(call.name)
}

/** The one consumer is handed any message there is. */
const receiveSteps = (machine: Machine, setup: Setup, bound: Bound, position: Position): Step[] =>
  position.actors[CONSUMER]?.phase !== 'waits'
    ? []
    : machine.state(position.shared).queue.map(({ id }) => ({
        label: `consumer receives ${id}`,
        to: () => {
          const now = instant(bound, position.leaps)
          const { shared, message } = machine.receive(position.shared, NAMES.queueUrl, id, now)
          if (!message) throw new Error(`${id} cannot be received`)
          return start(machine, bound, { ...position, shared }, CONSUMER, consumer('consumer', setup, message))
        },
      }))

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
    ...(call.method === 'sendMessage' && !retried
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

const LOST: Answer = { id: 'lost', kind: 'lost' }
const REFUSED: Answer = { id: 'refused', kind: 'refused' }
