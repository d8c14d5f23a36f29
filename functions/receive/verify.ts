import { KeyObject } from 'node:crypto'
import { type Ending, ended } from '../domain/outcome.ts'
import type { Admitted, Verified } from '../domain/stages.ts'
import { checkSignature } from '../providers/check-signature.ts'
import { type Key, readKey } from '../providers/read-key.ts'
import type { World } from './world.ts'

type Refusal = Ending<'rejected'> | Ending<'unavailable'>

/** On the exact bytes, before anything is parsed, stored or logged. A failure may be a rotation: the secrets are looked up again, once. */
export const verify = async (world: World, admitted: Admitted): Promise<Verified | Refusal> => {
  const first = await attempt(world, admitted)
  if (!ended(first) || !mayBeRotation(first)) return first
  const refresh = await world.secrets.refresh()
  if (refresh.kind === 'unavailable') return outage('secret-store', refresh.cause)
  return refresh.kind === 'refreshed' ? attempt(world, admitted) : first
}

const attempt = async (world: World, admitted: Admitted): Promise<Verified | Refusal> => {
  const { source, delivery } = admitted
  const keys = source.scheme.kind === 'none' ? [] : await keysOf(world, admitted)
  if (ended(keys)) return keys
  const verdict = checkSignature(source, delivery, keys, world.now())
  return verdict.kind === 'genuine' ? (admitted as Verified) : { outcome: 'rejected', reason: verdict.reason }
}

const keysOf = async (world: World, { source }: Admitted): Promise<readonly Key[] | Ending<'unavailable'>> => {
  const answer = await world.secrets.signingSecrets(source.name)
  if (answer.kind === 'unavailable') return outage('secret-store', answer.cause)
  if (answer.kind === 'absent') return outage('secret-missing', `no signing secret for source "${source.name}"`)
  const read = answer.secrets.map(secret => readKey(source.scheme, secret))
  const keys = read.filter(key => key instanceof KeyObject)
  const problems = read.flatMap(key => (key instanceof KeyObject ? [] : [key.problem]))
  return keys.length > 0 ? keys : outage('secret-unusable', problems.join('; '))
}

const mayBeRotation = (refusal: Refusal): boolean =>
  refusal.reason === 'signature-mismatch' || refusal.reason === 'secret-unusable'

const outage = (reason: Ending<'unavailable'>['reason'], cause: string): Ending<'unavailable'> => ({
  outcome: 'unavailable',
  reason,
  cause,
})
