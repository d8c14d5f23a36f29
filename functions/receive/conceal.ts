import type { Delivery } from '../domain/delivery.ts'
import { fingerprint } from '../domain/identity.ts'
import type { KeptFor } from '../domain/kept-delivery.ts'
import type { Secret } from '../domain/secret.ts'
import type { Source } from '../domain/source.ts'
import type { Receiving } from '../domain/world.ts'
import { swapSecrets } from '../providers/swap-secrets.ts'

/**
 * A delivery as it may be kept: a secret that was sent along is replaced by its HMAC under the fingerprint key, which
 * verifying again compares (functions/operate/quarantine.ts). `undefined` if the key cannot be had: then nothing is kept.
 */
export const conceal = async (
  world: Receiving,
  { delivery, source }: { readonly delivery: Delivery; readonly source: Source },
  keptFor: KeptFor,
): Promise<Delivery | undefined> => {
  const key = await world.secrets.fingerprintKey()
  if ('kind' in key) return undefined
  const mark = markOf(key, world.environment, source.name)
  return swapSecrets(delivery, source, mark, keptFor)
}

/**
 * Of one source only: two marks do not tell that two sources share a secret. Its letters are those of base64, so basic credentials
 * stay well-formed.
 */
export const markOf =
  (key: Secret, environment: string, source: string) =>
  (text: string): string =>
    `hmac${fingerprint(key, { environment, source, kind: 'sent', parts: [text] })}`
