import { both, type Mutant, one, where } from './mutant.ts'

const MANY = 'functions/operate/replay-many.ts'

/** Jobs that replay many events. */
export const BULK_MUTANTS: readonly Mutant[] = [
  // The replay itself looks who began the last generation, because of clocks that are behind.
  both(
    'what a bulk replay has begun stays in its way',
    one('', 'functions/operate/start-job.ts', 'millis(Math.min(filter.until, startedAt))', 'filter.until'),
    one('', 'functions/operate/replay.ts', 'audit?.job === job', 'false'),
  ),
  one('a bulk replay takes no pause', MANY, 'if (pause > 0 && !stop?.aborted) await', 'if (false) await'),
  one('a cancelled bulk replay goes on', MANY, "if (found.state !== 'running') return", 'if (false) return'),
  one(
    'a bulk replay that is resumed has passed over what had no answer',
    MANY,
    'progress.count(answers, fault ? undefined : records.at(-1))',
    'progress.count(answers, records.at(-1))',
  ),
  where(
    { paged: true },
    one('a bulk replay ends with its first page', 'functions/operate/walk.ts', 'cursor = next\n', 'cursor = null\n'),
  ),
  one('a bulk replay passes over every event', MANY, 'at < meant.length', 'at < 0'),
].map(mutant => where({ bulk: true, world: { destined: false }, ...mutant.focus }, mutant))
