import type { Equivalent } from './equivalent.ts'
import { tableMutants } from './of-the-table.ts'

/** Changes of the table that break no promise, each with its reason. */
export const harmlessOfTheTable = (): readonly Equivalent[] =>
  tableMutants().flatMap(mutant => {
    const why = REASONS.get(mutant.name)
    return why === undefined ? [] : [{ ...mutant, why }]
  })

/** A fence is made for one act, and says by itself which event, which generation and which attempt is meant. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  'It shows the fence of an attempt, and each attempt makes its own: nobody has the fence and another generation.': [
    'commit does not ask for generation = seenGeneration',
    'finish does not ask for generation = seenGeneration',
    'giveBack does not ask for generation = seenGeneration',
    'ignore does not ask for generation = seenGeneration',
    'report does not ask for generation = seenGeneration',
  ],
  'It shows the fence of an attempt, which comes into the record together with `working`, and never into a claim.': [
    'commit starts from claimed too',
    'commit starts from queued too',
    'finish starts from claimed too',
    'finish starts from queued too',
    'giveBack starts from claimed too',
    'giveBack starts from queued too',
    'ignore starts from claimed too',
    'ignore starts from queued too',
    'report starts from claimed too',
    'report starts from queued too',
  ],
  'The lease ends by itself: the next try has to wait for it, and nothing is promised about how long.': [
    'release does not start from claimed',
  ],
  'It shows the fence of an attempt, and one attempt never says two of done, ignored and failed.': [
    'commit starts from ignored too',
    'finish starts from failed too',
    'finish starts from ignored too',
    'ignore starts from done too',
    'ignore starts from failed too',
  ],
  'A repeat that is refused is shown the record as it stands, is told that it is over, and the message is deleted all the same.':
    ['finish does not start from done', 'ignore does not start from ignored'],
}

export const isHarmless = (name: string): boolean => REASONS.has(name)

const REASONS = new Map(Object.entries(HARMLESS).flatMap(([why, names]) => names.map(name => [name, why] as const)))
