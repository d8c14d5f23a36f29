import type { EventRecord } from '../../../functions/domain/record.ts'
import { NOON } from '../../support/events.ts'
import type { Answer, Call, Local } from './local.ts'
import type { SharedId } from './machine.ts'
import type { Program } from './programs.ts'

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

export interface Held {
  readonly call: number
  readonly answer: Answer
  readonly leaps: number
}

export interface Actor {
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
  readonly atClaim: EventRecord | undefined
  readonly acknowledged: boolean
}

export interface Position {
  readonly shared: SharedId
  readonly actors: readonly Actor[]
  /** Sent, given up by their caller, not yet arrived. */
  readonly late: readonly { readonly call: Call; readonly handling: boolean }[]
  readonly faults: number
  readonly leaps: number
}

/** Its place among the actors. */
export const CONSUMER = 3

/** More than a lease (15 s) and recovery's first lag (135 s); two of them are less than the age a signature may have. */
const LEAP_MS = 140_000

export const instant = (bound: Bound, leapsLeft: number): number => NOON + (bound.leaps - leapsLeft) * LEAP_MS

export const withActor = (position: Position, index: number, change: Partial<Actor>): Position => ({
  ...position,
  actors: position.actors.map((each, place) => (place === index ? { ...each, ...change } : each)),
})

/** Two positions with the same key have the same future. */
export const keyOf = ({ shared, actors, late, faults, leaps }: Position): string => {
  const parts = actors.map(each => {
    if (each.phase === 'over') return each.acknowledged ? 'acked' : 'over'
    if (each.phase === 'waits') return `waits ${each.startIn}`
    const held = each.held.map(({ call, answer, leaps: left }) => `${call}:${answer.id}:${left}`).sort()
    const { local, again, deadlinePassed, leapsAtStart, atClaim } = each
    return `${local?.id} ${held} ${again} ${deadlinePassed} ${leapsAtStart > leaps} ${atClaim?.status}${atClaim?.generation}`
  })
  return `${shared}|${parts.join('|')}|${late.map(({ call, handling }) => `${call.id}${handling}`).sort()}|${faults}|${leaps}`
}
