import { ACCEPT_MUTANTS } from './mutants/accept.ts'
import { BODY_MUTANTS } from './mutants/bodies.ts'
import { BULK_MUTANTS } from './mutants/bulk.ts'
import { CONSUME_MUTANTS } from './mutants/consume.ts'
import { DESTINATION_MUTANTS } from './mutants/destinations.ts'
import { ERASE_MUTANTS } from './mutants/erase.ts'
import { FAULT_MUTANTS } from './mutants/faults.ts'
import { FOUND_BY_TESTS } from './mutants/found-by-tests.ts'
import { isHarmless } from './mutants/harmless-of-the-table.ts'
import { LEAN_MUTANTS } from './mutants/lean.ts'
import type { Mutant } from './mutants/mutant.ts'
import { otherItemMutants } from './mutants/of-other-items.ts'
import { tableMutants } from './mutants/of-the-table.ts'
import { PUBLISH_MUTANTS } from './mutants/publish.ts'
import { RECOVER_MUTANTS } from './mutants/recover.ts'
import { REPLAY_MUTANTS } from './mutants/replay.ts'

/** Each is caught by the simulator; test/simulation/mutants.test.ts says in how many schedules. */
export const MUTANTS: readonly Mutant[] = [
  ...ACCEPT_MUTANTS,
  ...RECOVER_MUTANTS,
  ...CONSUME_MUTANTS,
  ...REPLAY_MUTANTS,
  ...PUBLISH_MUTANTS,
  ...BODY_MUTANTS,
  ...FAULT_MUTANTS,
  ...DESTINATION_MUTANTS,
  ...LEAN_MUTANTS,
  ...FOUND_BY_TESTS,
  ...BULK_MUTANTS,
  ...ERASE_MUTANTS,
  ...[...tableMutants(), ...otherItemMutants()].filter(({ name }) => !isHarmless(name)),
]
