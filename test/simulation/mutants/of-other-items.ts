import type { Transition } from '../../../functions/domain/transition.ts'
import { PROTOCOL as TABLE } from '../../../functions/domain/whole-protocol.ts'
import { lawOf } from './laws.ts'
import type { Mutant, Patch } from './mutant.ts'
import { isOfEvents, mutantsOf } from './of-the-table.ts'

/**
 * The same changes in the transitions of items that are no events, and in `erase`: keys, marks, guards, audits, jobs, cursors and
 * bodies. The laws of the stores find them; each names the one that it breaks.
 */
export const otherItemMutants = (): readonly Mutant[] =>
  Object.entries<Transition>(TABLE)
    .filter(([name, transition]) => !isOfEvents([name, transition]))
    .flatMap(mutantsOf)
    .map(found => ({
      ...found,
      ...lawOf(found.name),
      patches: [...found.patches, ...(MASKS[found.name] ?? [])],
    }))

/** Who writes has looked before, and asks for nothing shorter. */
const MASKS: Readonly<Record<string, readonly Patch[]>> = {
  'extendMark does not ask for expiresAt < expiresAt': [
    {
      file: 'functions/adapters/dynamodb-marks.ts',
      find: 'if (!other || Number(there?.expiresAt) >= Number(other.expiresAt)) return',
      put: 'if (!other) return',
    },
  ],
}
