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
  let text = beginningOf(identity)
  for (const part of identity.parts) text += prefixed(part)
  return createHmac('sha256', key.key()).update(text, 'utf8').digest('hex') as Fingerprint
}

const prefixed = (part: string): string => `${Buffer.byteLength(part)}:${part}`

interface Beginning extends Pick<Identity, 'environment' | 'source'> {
  readonly text: string
}

/** The last of each kind. */
const beginnings = new Map<Identity['kind'], Beginning>()

/** Which event of a source it is comes last: what stands before it is mostly what it was for the delivery before. */
const beginningOf = ({ environment, source, kind }: Identity): string => {
  const last = beginnings.get(kind)
  if (last?.environment === environment && last.source === source) return last.text
  const text = [VERSION, environment, source, kind].map(prefixed).join('')
  beginnings.set(kind, { environment, source, text })
  return text
}

export const sha256 = (bytes: Uint8Array): Sha256 => hash('sha256', bytes) as Sha256
