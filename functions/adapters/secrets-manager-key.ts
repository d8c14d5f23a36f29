import { unavailable } from '../domain/fault.ts'
import type { KeyStore } from '../domain/ports.ts'
import { Secret } from '../domain/secret.ts'
import type { SecretCalls } from './wire/secret-calls.ts'

/** The fingerprint key alone, for those who check no signature of a sender. Read once; a failure is never remembered. */
export const secretsManagerKey = (
  { secrets: calls }: { readonly secrets: Pick<SecretCalls, 'getSecret'> },
  { fingerprintKey: id }: { readonly fingerprintKey: string },
): KeyStore => {
  let key: Secret | undefined
  return {
    async fingerprintKey() {
      try {
        key ??= new Secret((await calls.getSecret(id))?.text ?? '')
        return key
      } catch (error) {
        return unavailable(error)
      }
    },
  }
}
