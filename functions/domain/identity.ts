import { createHmac, hash } from 'node:crypto'
import type { Fingerprint, Sha256 } from './brands.ts'
import type { Secret } from './secret.ts'

/** Part of every fingerprint: a change of the rules below must not let old and new meet by accident. */
const VERSION = '1'

export interface Identity {
  readonly environment: string
  readonly source: string
  readonly kind: 'id' | 'business' | 'body' | 'json' | 'signed' | 'delivery' | 'guard' | 'unique' | 'publish' | 'sent'
  readonly parts: readonly string[]
}

/** Keyed, so knowing an id is not knowing its key; length-prefixed, so that ("a","bc") and ("ab","c") differ. */
export const fingerprint = (key: Secret, identity: Identity): Fingerprint => {
  const { environment, source, kind, parts } = identity
  let text = ''
  for (const part of [VERSION, environment, source, kind, ...parts]) text += `${Buffer.byteLength(part)}:${part}`
  return createHmac('sha256', key.reveal()).update(text, 'utf8').digest('hex') as Fingerprint
}

export const sha256 = (bytes: Uint8Array): Sha256 => hash('sha256', bytes) as Sha256
