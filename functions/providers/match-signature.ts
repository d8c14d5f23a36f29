import { createHash, createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto'
import type { DigestScheme, HmacScheme, PublicKeyScheme, SignedScheme } from '../domain/scheme.ts'
import type { Key } from './read-key.ts'
import { type Content, SECRET_HERE } from './render-content.ts'

export interface Candidate {
  /** The version or key the sender wrote before the signature; empty if the layout has none. */
  readonly label: string
  readonly bytes: Buffer
}

/** Whether any candidate is this key's signature of the content. The kind of key decides the algorithm, not the sender. */
export const matchSignature = (
  scheme: SignedScheme,
  key: Key,
  content: Content,
  candidates: readonly Candidate[],
): boolean => {
  switch (scheme.kind) {
    case 'hmac':
      return matchHmac(scheme, key, content, candidates)
    case 'digest':
      return matchDigest(scheme, key, content, candidates)
    case 'ed25519':
    case 'ecdsa':
    case 'rsa':
      return matchPublicKey(scheme, key, content, candidates)
  }
}

const matchHmac = (scheme: HmacScheme, key: Key, content: Content, candidates: readonly Candidate[]): boolean => {
  if (key.type === 'public') return matchVersioned(scheme, key, content, candidates)
  const hmac = createHmac(scheme.hash, key)
  for (const part of content) hmac.update(part)
  const expected = hmac.digest()
  return labelled(candidates, scheme.sig.layout === 'list' ? scheme.sig.versions : undefined).some(({ bytes }) =>
    sameBytes(bytes, expected),
  )
}

const matchDigest = ({ hash }: DigestScheme, key: Key, content: Content, candidates: readonly Candidate[]): boolean => {
  if (key.type !== 'secret') return false
  const expected = digestOf(hash, key, content)
  return candidates.some(({ bytes }) => sameBytes(bytes, expected))
}

export const digestOf = (hash: DigestScheme['hash'], key: Key, content: Content): Buffer => {
  const digest = createHash(hash)
  for (const part of content) digest.update(part === SECRET_HERE ? key.export() : part)
  return digest.digest()
}

const matchVersioned = (
  { publicKeys }: HmacScheme,
  key: Key,
  content: Content,
  candidates: readonly Candidate[],
): boolean => publicKeys !== undefined && matchEd25519(key, content, labelled(candidates, publicKeys.versions))

const matchPublicKey = (
  { kind, hash, format = 'der' }: PublicKeyScheme,
  key: Key,
  content: Content,
  candidates: readonly Candidate[],
): boolean => {
  if (key.type !== 'public') return false
  if (kind === 'ed25519') return matchEd25519(key, content, candidates)
  const data = join(content)
  return candidates.some(({ bytes }) => verify(hash, data, { key, dsaEncoding: format }, bytes))
}

const ED25519_SIGNATURE_BYTES = 64

const matchEd25519 = (key: KeyObject, content: Content, candidates: readonly Candidate[]): boolean => {
  const data = join(content)
  return candidates.some(({ bytes }) => bytes.length === ED25519_SIGNATURE_BYTES && verify(null, data, key, bytes))
}

const labelled = (candidates: readonly Candidate[], labels: readonly string[] | undefined): readonly Candidate[] =>
  labels ? candidates.filter(({ label }) => labels.includes(label)) : candidates

/** The length of a digest is public, so returning early on it tells nothing; timingSafeEqual would throw. */
export const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && timingSafeEqual(left, right)

export const join = (content: Content): Buffer =>
  Buffer.concat(content.map(part => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)))
