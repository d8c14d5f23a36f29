import { LONGER_THAN_A_MESSAGE } from '../focus.ts'
import { type Mutant, one, where } from './mutant.ts'

const BODIES = 'functions/adapters/s3-and-dynamodb-bodies.ts'

/** Bodies, guards, and what comes after weeks. */
export const BODY_MUTANTS: readonly Mutant[] = [
  one(
    'the guard does nothing',
    'functions/receive/identify.ts',
    'guard: guarded && fingerprint(key, { ...scope, ...guarded }),',
    'guard: null,',
  ),
  one('expiry is ignored', 'functions/adapters/expressions.ts', '...(of.expires ? [EXPIRED] : [])', ''),
  one(
    'a pointer is sent without its body',
    'functions/accept/forward.ts',
    'const kept = await keptOnce(world, claimed)',
    "const kept = { kind: 'kept', at: 's3:30d:2026-11-15' } as any",
  ),
  one(
    'an expired message is handled',
    'functions/consume/work.ts',
    'if (expiresAt * 1000 <= now) return',
    'if (false) return',
  ),
  one(
    'what is lost is never marked',
    'functions/recover/recover.ts',
    'for (const pass of PASSES)',
    "for (const pass of PASSES.filter(each => each.name !== 'lost'))",
  ),
  one(
    'a retained body is not kept',
    'functions/accept/forward.ts',
    "return claimed.bodyAt === null && claimed.source.retain === 'none' ? null",
    'return claimed.bodyAt === null ? null',
  ),
  where(
    { often: ['settle'] },
    one(
      'where a body is kept is never noted',
      'functions/adapters/dynamodb-events.ts',
      'return moved(await answered(dynamo.updateItem(update(table, { fingerprint }, noteBody, said))))',
      "return { kind: 'moved' } as any",
    ),
  ),
  where(
    { world: { destined: true, ordered: false, unreadable: false } },
    one(
      'the body of what nobody wants is kept, and nobody notes where',
      'functions/accept/set-aside.ts',
      "return (await world.events.noteBody(record, settlement)).kind === 'moved'",
      'return true',
    ),
  ),
  one(
    'a body ends sooner than the message that points to it',
    'functions/accept/keep.ts',
    'seconds(Math.max(forReplay, MESSAGE_LIFE_SECONDS))',
    'forReplay',
  ),
  one(
    'the body of what has failed is kept for a day',
    'functions/consume/fail-for-good.ts',
    'seconds(Math.max(BURIED_BODY_SECONDS, message.retain))',
    'seconds(86_400)',
  ),
  where(
    { world: { size: 'medium' }, mode: 'unprocessable' },
    one(
      'a body is filed where it ends a week too soon',
      BODIES,
      'candidate => candidate >= days',
      'candidate => candidate >= days - 7',
    ),
  ),
  one(
    'a body in the table ends after a day',
    BODIES,
    'keepBody, { ...packed, expiresAt, ...at(now) })',
    'keepBody, { ...packed, expiresAt: (toSeconds(now) + 86_400) as any, ...at(now) })',
  ),
  where(
    { world: { workersAway: LONGER_THAN_A_MESSAGE } },
    one(
      'what is lost is said to have no body',
      'functions/recover/mark-lost.ts',
      'bodyAt: await stillKept(world, seen),',
      'bodyAt: null,',
    ),
  ),
  one(
    'a replay leaves the guard as it is',
    'functions/adapters/dynamodb-replays.ts',
    'await extendGuard(dynamo, table, next, by.now)',
    '',
  ),
  where(
    { mode: 'unprocessable', resends: 3 },
    one(
      'an event that is reopened leaves its guard as it is',
      'functions/adapters/dynamodb-events.ts',
      'await extendGuard(dynamo, table, { ...seen, expiresAt: body.expiresAt }, by.now)\n        return',
      'return',
    ),
  ),
  one(
    'a settlement names the wrong hash',
    'functions/accept/settle.ts',
    'bodySha256: forwarded.bodySha256,',
    "bodySha256: 'f'.repeat(64) as any,",
  ),
]
