import type { Millis } from '../../functions/domain/brands.ts'
import type { KeptBody } from '../../functions/domain/ports.ts'
import type { Source } from '../../functions/domain/source.ts'
import { type SignedRequest, sign } from './sign.ts'

export interface SignedAgain extends SignedRequest {
  /** Why it has no proof, if it has none. */
  readonly unsigned: string | null
}

/**
 * A kept event as its sender would send it now, to another address. The bytes are the sender's own. Only a proof that is itself part
 * of the body (Mailgun, Linear, Adyen) is written anew there.
 */
export const signAgain = (
  source: Source | undefined,
  secret: string,
  { bytes, headers: kept }: Pick<KeptBody, 'bytes' | 'headers'>,
  to: { readonly url: string; readonly now: Millis },
): SignedAgain => {
  const plain = { url: to.url, body: bytes, headers: kept }
  if (source === undefined) return { ...plain, unsigned: 'its source is not in the source file' }
  try {
    // A server on a laptop has an address of its own, which is not the one that the source says.
    return { ...sign({ ...source, publicUrl: null }, secret, { ...plain, now: to.now }), unsigned: null }
  } catch (error) {
    return { ...plain, unsigned: (error as Error).message }
  }
}
