import type { Clock } from '../domain/ports.ts'
import { Secret } from '../domain/secret.ts'
import type { SecretCalls } from './wire/secret-calls.ts'

const FRESH_MS = 300_000

/** The secret that a destination's deliveries are signed with; read again every five minutes, so a rotation needs no deployment. */
export const destinationSecret = (
  { secrets }: { readonly secrets: Pick<SecretCalls, 'getSecret'> },
  id: string,
  now: Clock,
): ((again?: 'again') => Promise<Secret>) => {
  let known: { readonly secret: Secret; readonly at: number } | undefined
  return async again => {
    if (!again && known && now() - known.at < FRESH_MS) return known.secret
    const found = await secrets.getSecret(id)
    known = { secret: new Secret(found?.text ?? ''), at: now() }
    return known.secret
  }
}
