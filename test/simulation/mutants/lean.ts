import type { Focus } from '../focus.ts'
import { type Mutant, one, where } from './mutant.ts'

const LEAN = 'functions/adapters/lean'

const hunted = (name: string, file: string, find: string, put: string, focus: Focus = {}): Mutant =>
  where({ lean: true, ...focus }, one(name, `${LEAN}/${file}`, find, put))

/** The client that ships: signatures, repeats, answers. Faults 5 and 6 are bugs of it, too. */
export const LEAN_MUTANTS: readonly Mutant[] = [
  hunted('a refusal after a repeat is certain', 'service-fault.ts', 'return this.attempts === 1 && ', 'return ', {
    often: ['sendMessage'],
    kinds: { sendMessage: ['lost-answer', 'throttled'] },
  }),
  hunted('a refusal is an answer', 'caller.ts', 'if (answer.status < 300)', 'if (answer.status < 500)'),
  hunted('a failed condition is a write', 'dynamo.ts', "{ kind: 'condition-failed', item", "{ kind: 'written', item"),
  hunted(
    'a cancelled transaction is a write',
    'dynamo.ts',
    "return { kind: 'cancelled', reasons, error }",
    "return { kind: 'written' }",
  ),
  hunted(
    'the digest of a message is not compared',
    'queue.ts',
    "if (digest !== hash('md5', body)) throw",
    'if (false) throw',
    { world: { malformed: true } },
  ),
  hunted(
    'an answer that is no JSON is an empty one',
    'json-protocol.ts',
    "JSON.parse(answer.body.toString('utf8')) : {}",
    'parsed(answer) : {}',
    { world: { malformed: true } },
  ),
  hunted(
    'the name of an error is read with its namespace',
    'json-protocol.ts',
    "type.slice(type.lastIndexOf('#') + 1)",
    'type',
  ),
  hunted('a number comes back as text', 'attribute-values.ts', 'return Number(value.N)', 'return value.N'),
  hunted(
    'bytes come back as they are spelled',
    'attribute-values.ts',
    "return new Uint8Array(Buffer.from(value.B, 'base64'))",
    'return new Uint8Array(Buffer.from(value.B))',
  ),
  hunted('an object is written over', 'objects.ts', "{ 'if-none-match': '*' }", '{}', { world: { size: 'medium' } }),
  hunted(
    'a request goes out unsigned',
    'caller.ts',
    'const headers = sign(unsigned, { service, region }, credentialsIn(env), now() + skew)',
    'const headers = { ...call.headers }',
  ),
  hunted(
    'the key of a signature is made once and for all',
    'sign.ts',
    'sameKey && last.scope === scope ? last.key',
    'sameKey ? last.key',
    { world: { weeks: true } },
  ),
  hunted(
    'the body is no part of a signature',
    'sign.ts',
    "const digest = hash('sha256', body)",
    "const digest = hash('sha256', '')",
  ),
  hunted(
    'a request is dated by the first one',
    'sign.ts',
    'if (sameKey && last.second === second) return last',
    'if (sameKey) return last',
  ),
]
