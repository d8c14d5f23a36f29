import { type Mutant, one, where } from './mutant.ts'

const ERASE = 'functions/operate/erase.ts'
const STORE = 'functions/adapters/erasures.ts'
const MARK = 'const marked = await world.erasures.mark(seen, others, by, { actor, reason, job })'

/** Operators who erase. */
export const ERASE_MUTANTS: readonly Mutant[] = [
  where(
    { erasing: true },
    one('a small body is not overwritten', STORE, 'someAtATime(items, sha', 'someAtATime([] as string[], sha'),
  ),
  where(
    { erasing: true, world: { size: 'medium' } },
    one('a large body is not overwritten', STORE, 'someAtATime(keys, key', 'someAtATime([] as string[], key'),
  ),
  where(
    { erasing: true },
    one(
      'an erasure leaves no mark',
      ERASE,
      MARK,
      "const marked = { kind: 'moved' } as Awaited<ReturnType<typeof world.erasures.mark>>",
    ),
  ),
  where(
    { erasing: true, often: ['erase'] },
    one(
      'an erasure whose mark got no answer is told erased',
      ERASE,
      "if (marked.kind === 'unavailable') return marked\n  if (marked.kind !== 'moved') return undefined",
      '',
    ),
  ),
  where(
    { erasing: true, often: ['blankBody'], kinds: { blankBody: ['lost-request', 'throttled', 'death-before'] } },
    one(
      'an erasure that died half way is not finished',
      ERASE,
      "if (!seen) return forget(world, all, 'already-erased', first.erasedAt ?? world.now(), asked)",
      "if (!seen) return { kind: 'already-erased', id: first.fingerprint, eventId: '', source: '', at: '', bodies: 0, deliveries: 0, copies: 0 }",
    ),
  ),
  where(
    { erasing: true, world: { destined: true, ordered: false, unreadable: false } },
    one(
      'the copies of an event are not erased',
      STORE,
      'const writes = [seen, ...copies].map(',
      'const writes = [seen].map(',
    ),
  ),
  where(
    { erasing: true, operators: true, mode: 'poison' },
    one('what an audit says is not erased', STORE, 'if (!audit.before?.says) continue', 'if (audit) continue'),
  ),
  where(
    { erasing: true },
    one(
      'a repeat brings the body of an erased event back',
      'functions/accept/claim.ts',
      'if (bodyAt !== null) await world.bodies.discard',
      'if (bodyAt === "") await world.bodies.discard',
    ),
  ),
  where(
    { erasing: true, mode: 'poison' },
    one(
      'a repeat of what was erased is an event like any other',
      'functions/accept/claim.ts',
      'return answer.existing.erasedAt === undefined',
      'return answer.existing !== undefined',
    ),
  ),
]
