import type { Focus } from '../focus.ts'

/** A change to the text of a module that ships: one text for another, or something at its end. */
export type Patch =
  | { readonly file: string; readonly find: string; readonly put: string }
  | { readonly file: string; readonly append: string }

/** A bug somebody could write. Only the simulation ever loads one. */
export interface Mutant {
  readonly name: string
  readonly patches: readonly Patch[]
  /** Of the schedules that hunt it, if it does harm too seldom in others. */
  readonly focus?: Focus
  /** The test that finds it, if no schedule can. Of a test with a row for each case, the beginning of its title is enough. */
  readonly test?: NamedTest
}

export interface NamedTest {
  readonly file: string
  readonly title: string
}

export const one = (name: string, file: string, find: string, put: string): Mutant => ({
  name,
  patches: [{ file, find, put }],
})

/** The same bug, hunted where it does harm. */
export const where = (focus: Focus, mutant: Mutant): Mutant => ({ ...mutant, focus })

export const both = (name: string, ...mutants: readonly Mutant[]): Mutant => ({
  name,
  patches: mutants.flatMap(({ patches }) => patches),
})

export const PROTOCOL = 'functions/domain/protocol.ts'

/** The verbs look at the lease themselves, so this alone breaks nothing. */
export const takeoverIgnoresLease = one(
  '',
  PROTOCOL,
  '{ all: [seenFence, leasePassed, alive] }',
  '{ all: [seenFence, alive] }',
)
