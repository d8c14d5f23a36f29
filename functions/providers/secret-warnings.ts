import type { Scheme, SecretKeyFormat } from '../domain/scheme.ts'
import type { Secret } from '../domain/secret.ts'
import { readKey } from './read-key.ts'

const SHORT_BYTES = 16

/** Real providers hand out such secrets, so they are used as they are; a person should still look twice. */
export const secretWarnings = (scheme: Scheme, secret: Secret): readonly string[] => {
  const key = readKey(scheme, secret)
  if ('problem' in key || key.type !== 'secret') return []
  const value = secret.reveal()
  const bytes = Math.min(key.symmetricKeySize ?? 0, Buffer.byteLength(value) - publicPart(scheme, value))
  return [
    ...(bytes < SHORT_BYTES ? [`the secret is shorter than ${SHORT_BYTES} bytes: easy to guess`] : []),
    ...(/\s/.test(value) ? ['the secret contains white space: often a copied newline'] : []),
  ]
}

/** A prefix that every secret of this sender has. */
const publicPart = (scheme: Scheme, value: string): number => {
  const { knownPrefixes = [] } = 'key' in scheme ? (scheme.key as SecretKeyFormat) : {}
  return knownPrefixes.find(prefix => value.startsWith(prefix))?.length ?? 0
}
