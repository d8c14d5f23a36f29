import { KeyObject } from 'node:crypto'
import type { Admitted, Verified } from '../domain/evidence.ts'
import { type Ending, ended, outage, reject } from '../domain/outcome.ts'
import { isCoded, needsSecret, type SingleScheme } from '../domain/scheme.ts'
import type { Secret } from '../domain/secret.ts'
import type { Receiving } from '../domain/world.ts'
import { checkCoded } from '../providers/check-coded.ts'
import { checkSignature } from '../providers/check-signature.ts'
import { chooseVariant } from '../providers/choose-variant.ts'
import { type Key, readKey } from '../providers/read-key.ts'

type Refusal = Ending<'rejected'> | Ending<'unavailable'>

/** On the exact bytes, before anything is parsed, stored or logged. A failure may be a rotation: the secrets are looked up again, once. */
export const verify = async (world: Receiving, admitted: Admitted): Promise<Verified | Refusal> => {
  const first = await attempt(world, admitted)
  if (!ended(first) || !mayBeRotation(first)) return first
  const refresh = await world.secrets.refresh()
  if (refresh.kind === 'unavailable') return outage('secret-store', refresh.cause)
  return refresh.kind === 'refreshed' ? attempt(world, admitted) : first
}

const attempt = async (world: Receiving, admitted: Admitted): Promise<Verified | Refusal> => {
  const { delivery } = admitted
  const scheme = chooseVariant(admitted.source.scheme, delivery)
  if ('refused' in scheme) return reject(scheme.refused)
  const keys = scheme.value.kind === 'none' ? [] : await keysOf(world, admitted, scheme.value)
  if (ended(keys)) return keys
  const source =
    admitted.source.scheme === scheme.value ? admitted.source : { ...admitted.source, scheme: scheme.value }
  const verdict = isCoded(scheme.value)
    ? await checkCoded(scheme.value, { source, delivery, keys, now: world.now() }, world.keys)
    : checkSignature(source, delivery, keys, world.now())
  if (verdict.kind === 'unavailable') return outage('key-source', verdict.cause)
  if (verdict.kind === 'distrusted') return reject(verdict.reason)
  return { ...admitted, matched: verdict.matched, signed: verdict.signed } as Verified
}

const keysOf = async (
  world: Receiving,
  { source }: Admitted,
  scheme: SingleScheme,
): Promise<readonly Key[] | Ending<'unavailable'>> => {
  const answer = await world.secrets.signingSecrets(source.name, !needsSecret(scheme))
  if (answer.kind === 'unavailable') return outage('secret-store', answer.cause)
  if (answer.kind === 'absent') {
    return needsSecret(scheme) ? outage('secret-missing', `no signing secret for source "${source.name}"`) : []
  }
  const read = answer.secrets.map(secret => knownKey(scheme, secret))
  const keys = read.filter(key => key instanceof KeyObject)
  if (keys.length > 0) return keys
  const problems = read.flatMap(key => (key instanceof KeyObject ? [] : [key.problem]))
  // A secret for another of the sender's ways fits no signature of this one, which is the caller's fault and not ours.
  const otherWay = answer.secrets.some(secret => readKey(source.scheme, secret) instanceof KeyObject)
  return otherWay ? [] : outage('secret-unusable', problems.join('; '))
}

const known = new WeakMap<Secret, Map<SingleScheme, ReturnType<typeof readKey>>>()

/** Secrets stay for minutes: each is made a key once for each way to sign with it. */
const knownKey = (scheme: SingleScheme, secret: Secret): ReturnType<typeof readKey> => {
  const keys = known.get(secret) ?? new Map<SingleScheme, ReturnType<typeof readKey>>()
  const key = keys.get(scheme) ?? readKey(scheme, secret)
  known.set(secret, keys.set(scheme, key))
  return key
}

const mayBeRotation = (refusal: Refusal): boolean =>
  refusal.reason === 'signature-mismatch' || refusal.reason === 'secret-unusable'
