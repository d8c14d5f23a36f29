import * as protocol from './protocol.ts'
import type { Transition } from './transition.ts'

/** Every transition by its name, for those who look at the whole: documentation, tests, mutants. No function imports it. */
export const PROTOCOL = protocol satisfies Readonly<Record<string, Transition>>

export type TransitionName = keyof typeof PROTOCOL
