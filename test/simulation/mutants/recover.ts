import { BEFORE_MIDNIGHT } from '../ingredients.ts'
import { both, type Mutant, one, PROTOCOL, takeoverIgnoresLease, where } from './mutant.ts'

const RECOVER = 'functions/recover/recover.ts'
const ABANDONED = 'functions/recover/finish-abandoned.ts'

/** Recovery. */
export const RECOVER_MUTANTS: readonly Mutant[] = [
  where(
    // Its sender's next try has just taken it over when recovery comes to the place where it stood before.
    { resends: 6, resendsFrom: 150_000, often: ['sendMessage'], kinds: { sendMessage: ['lost-request', 'slow'] } },
    both(
      'recovery asks nobody',
      takeoverIgnoresLease,
      one('', ABANDONED, "if (!isAbandoned(seen, now)) return 'fine'", "if (seen.status !== 'claimed') return 'fine'"),
    ),
  ),
  one(
    'recovery forwards without taking over',
    ABANDONED,
    'const taken = await takeOver(world, kept, seen, to)',
    "const taken: any = { ...kept, record: { ...seen, fence: world.newFence(), leaseUntil: now + 15_000 }, how: 'took-over' }",
  ),
  one('recovery does nothing', RECOVER, 'for (const pass of PASSES)', 'for (const pass of [] as typeof PASSES)'),
  where(
    { world: { unreadable: true, destined: false }, resends: 0, often: ['sendMessage'] },
    one(
      'recovery looks once',
      RECOVER,
      'for (const pass of PASSES)',
      "for (const pass of PASSES.filter(each => each.name !== 'late'))",
    ),
  ),
  both(
    'recovery passes over what did not answer',
    one('', RECOVER, "if (looks.includes('unavailable')) return cursor", ''),
    one(
      '',
      RECOVER,
      'for (const pass of PASSES)',
      "for (const pass of PASSES.filter(each => each.name === 'abandoned'))",
    ),
  ),
  both(
    'a takeover does not move its place in the listing',
    one('', PROTOCOL, "'claimedAt', 'listing', 'updatedAt', 'to'],", "'updatedAt', 'to'],"),
    one(
      '',
      RECOVER,
      'for (const pass of PASSES)',
      "for (const pass of PASSES.filter(each => each.name === 'abandoned'))",
    ),
  ),
  where(
    { paged: true, often: ['sendMessage'] },
    one(
      'recovery passes over what does not fit on a page',
      'functions/adapters/dynamodb-recovery.ts',
      '.filter(({ isLast }) => !isLast)',
      '.filter(() => false)',
    ),
  ),
  where(
    { world: { startsAt: BEFORE_MIDNIGHT }, often: ['sendMessage', 'settle'] },
    one(
      'recovery passes over the rest of a day',
      'functions/adapters/dynamodb-recovery.ts',
      'Math.min(until, dayEnd)',
      'until',
    ),
  ),
  both(
    'waiting messages are taken for lost',
    one('', RECOVER, 'lag: QUEUE.retentionSeconds * 1000 + HOUR', 'lag: MINUTE'),
    one(
      '',
      'functions/recover/mark-lost.ts',
      'seen.claimedAt <= now - QUEUE.retentionSeconds * 1000',
      'seen.claimedAt <= now',
    ),
  ),
]
