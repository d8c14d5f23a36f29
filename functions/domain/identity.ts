import { createHash, createHmac } from 'node:crypto'
import type { Fingerprint, Sha256 } from './brands.ts'
import type { Secret } from './secret.ts'

/** Part of every fingerprint: a change of the rules below must not let old and new meet by accident. */
const VERSION = '1'

export interface Identity {
  readonly environment: string
  readonly source: string
  readonly kind: 'id' | 'business' | 'body' | 'json' | 'delivery' | 'guard' | 'publish'
  readonly parts: readonly string[]
}

/** Keyed, so that knowing an id is not knowing its key; length-prefixed, so that ("a","bc") and ("ab","c") differ. */
export const fingerprint = (key: Secret, identity: Identity): Fingerprint => {
  const hmac = createHmac('sha256', key.reveal())
  for (const part of [VERSION, identity.environment, identity.source, identity.kind, ...identity.parts]) {
    const bytes = Buffer.from(part, 'utf8')
    hmac.update(`${bytes.length}:`).update(bytes)
  }
  return hmac.digest('hex') as Fingerprint
}

export const sha256 = (bytes: Uint8Array): Sha256 => createHash('sha256').update(bytes).digest('hex') as Sha256
