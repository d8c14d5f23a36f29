import { harmlessOfTheTable } from './harmless-of-the-table.ts'
import { type Mutant, one } from './mutant.ts'

/** A change that breaks no promise, and why. */
export interface Equivalent extends Mutant {
  readonly why: string
}

/** What stands in the way of each is taken away together with it by one of the mutants, where that can be done. */
export const EQUIVALENT: readonly Equivalent[] = [
  {
    ...one(
      'a burial does not look whether its event is done',
      'functions/consume/fail-for-good.ts',
      "if (status === 'done' || status === 'ignored') return",
      'if (false) return',
    ),
    why: 'The transition `fail` does not start from done, and its answer leads to the same end.',
  },
  {
    ...one(
      'an operator does not look whether an event is in flight',
      'functions/operate/replay.ts',
      'if (!canReplay(seen, world.now())) return',
      'if (false) return',
    ),
    why: 'The transition `replay` starts from done, failed and an abandoned claim alone.',
  },
  {
    ...one(
      'a replay does not look for its own audit',
      'functions/adapters/dynamodb-replays.ts',
      'if (await begunBefore(next).catch(() => false)) return',
      'if (false) return',
    ),
    why: 'The token makes a repeat of the same writes one act; a lost answer is then told as unavailable, which promises nothing.',
  },
  {
    ...one(
      'a replay has a new token at each try',
      'functions/adapters/dynamodb-replays.ts',
      'ClientRequestToken: by.fence',
      'ClientRequestToken: crypto.randomUUID()',
    ),
    why: 'A try that was written is known by its audit, which bears its fence.',
  },
  ...harmlessOfTheTable(),
]
