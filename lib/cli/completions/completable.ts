import type { Choices, Flags } from '../flags.ts'
import type { Verb } from '../verb.ts'

/** What a shell has to know of a command, from the table that reads its flags. */
export interface Completable {
  readonly name: string
  readonly summary: string
  readonly operands: readonly Offer[]
  readonly flags: readonly CompletableFlag[]
}

export interface CompletableFlag {
  readonly name: string
  readonly help: string
  /** Absent for a switch. */
  readonly value?: { readonly called: string; readonly offer: Offer }
}

/** What can be offered for one word. `sources` is asked for when the key is pressed, since the file may have changed. */
export type Offer = { readonly words: readonly string[] } | 'files' | 'directories' | 'sources' | 'nothing'

type Told = Pick<Verb, 'summary' | 'operands' | 'completes' | 'flags'>

export const completable = (name: string, verb: Told, providers: readonly string[]): Completable => {
  const offer = (choices: Choices | undefined): Offer => {
    if (choices === undefined) return 'nothing'
    if (choices === 'sources') return 'sources'
    return { words: choices === 'providers' ? providers : choices }
  }
  return {
    name,
    summary: verb.summary,
    operands: verb.operands.map((_, at) => offer(verb.completes?.[at])),
    flags: Object.entries<Flags[string]>({ ...verb.flags, ...HELP }).map(([flag, { help, value, choices }]) => ({
      name: flag,
      help,
      ...(value !== undefined && { value: { called: value, offer: PATHS[value] ?? offer(choices) } }),
    })),
  }
}

const HELP = { help: { help: 'Show help.' } } as const

const PATHS: Readonly<Record<string, Offer>> = { FILE: 'files', DIR: 'directories' }
