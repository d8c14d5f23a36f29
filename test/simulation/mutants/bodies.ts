import { type Mutant, one, where } from './mutant.ts'

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
  one(
    'a settlement names the wrong hash',
    'functions/accept/settle.ts',
    'bodySha256: forwarded.bodySha256,',
    "bodySha256: 'f'.repeat(64) as any,",
  ),
]
