import { createHash, verify } from 'node:crypto'
import { toSeconds } from '../../domain/brands.ts'
import type { CodeModule } from '../../domain/scheme.ts'
import { checkAge } from '../check-timestamp.ts'
import { decodeSignature } from '../decode-signature.ts'
import { locate } from '../locate.ts'
import { sameBytes } from '../match-signature.ts'
import { distrusted, matchedBy } from '../verdict.ts'

export const file = 'http-signatures'

export const reads: CodeModule['reads'] = { headers: ['signature', 'signature-input', 'content-digest'] }

/** The part of RFC 9421 that MailChannels uses: one Ed25519 signature of the content digest, with its time. */
export const check: CodeModule['check'] = (scheme, { delivery, keys, now }) => {
  const header = (name: string) => locate({ in: 'header', name }, delivery)
  const [input, sent, digest] = [header('signature-input'), header('signature'), header('content-digest')]
  if ('refused' in sent) return distrusted(sent.refused)
  if ('refused' in input) return distrusted(input.refused)
  if ('refused' in digest) return distrusted(digest.refused)
  const parts = readParts(input.value, sent.value)
  if (parts === undefined) return distrusted('header-malformed')
  if (!isDigestOf(digest.value, delivery.body)) return distrusted('signature-mismatch')
  const base = Buffer.from(signatureBase(digest.value, parts.parameters))
  const verdict = matchedBy(
    keys,
    key =>
      key.asymmetricKeyType === 'ed25519' && parts.signature.length === 64 && verify(null, base, key, parts.signature),
  )
  if (verdict.kind === 'distrusted') return verdict
  const late = checkAge(parts.created * 1000, scheme.toleranceSeconds ?? 0, now)
  return late ? distrusted(late) : verdict
}

export const sign: CodeModule['sign'] = ({ delivery, privately }) => {
  const digest = `sha-256=:${createHash('sha256').update(delivery.body).digest('base64')}:`
  const parameters = `("content-digest");created=${toSeconds(delivery.receivedAt)};alg="ed25519";keyid="local"`
  const signature = privately(Buffer.from(signatureBase(digest, parameters))).toString('base64')
  return {
    headers: { 'content-digest': digest, 'signature-input': `sig_1=${parameters}`, signature: `sig_1=:${signature}:` },
  }
}

export const words = (): string => 'RFC 9421: Ed25519 over the digest of the body, in `signature`'

export const covers: CodeModule['covers'] = () => ({
  body: 'bytes',
  headers: ['content-digest', 'signature-input'],
  time: 'always',
})

const signatureBase = (digest: string, parameters: string): string =>
  `"content-digest": ${digest}\n"@signature-params": ${parameters}`

const INPUT = /^([a-z][\w.-]{0,63})=(\("content-digest"\);created=(\d{1,12});alg="ed25519";keyid="[^"\\]{1,128}")$/

const readParts = (input: string, sent: string) => {
  const [, label, parameters, created] = INPUT.exec(input) ?? []
  const [, sentLabel, encoded = ''] = /^([a-z][\w.-]{0,63})=:([A-Za-z0-9+/=]+):$/.exec(sent) ?? []
  const signature = decodeSignature('base64', encoded)
  if (parameters === undefined || label !== sentLabel || signature === undefined) return undefined
  return { parameters, signature, created: Number(created) }
}

const isDigestOf = (header: string, body: Uint8Array): boolean => {
  const [, encoded = ''] = /^sha-256=:([A-Za-z0-9+/=]+):$/.exec(header) ?? []
  const sent = decodeSignature('base64', encoded)
  return sent !== undefined && sameBytes(sent, createHash('sha256').update(body).digest())
}
