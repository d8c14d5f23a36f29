import type { Encoding } from '../domain/scheme.ts'

/**
 * Bytes of a signature, or undefined. One text per value: white space, missing padding, other alphabets and the other
 * case of hex are all refused, as the SDKs of Stripe, GitHub and Slack do by comparing text.
 */
export const decodeSignature = (encoding: Encoding, text: string): Buffer | undefined =>
  text === '' ? undefined : DECODERS[encoding](text)

const hex = (text: string): Buffer | undefined =>
  /^(?:[0-9a-f]{2})+$/.test(text) ? Buffer.from(text, 'hex') : undefined

const canonical =
  (encoding: 'base64' | 'base64url') =>
  (text: string): Buffer | undefined => {
    const bytes = Buffer.from(text, encoding)
    return bytes.toString(encoding) === text ? bytes : undefined
  }

const base64 = canonical('base64')

const DECODERS = {
  hex,
  'hex-upper': text => (/^[0-9A-F]+$/.test(text) ? hex(text.toLowerCase()) : undefined),
  base64,
  base64url: canonical('base64url'),
  'base64(hex)': text => hex(base64(text)?.toString('latin1') ?? ''),
  utf8: text => Buffer.from(text, 'utf8'),
} satisfies Record<Encoding, (text: string) => Buffer | undefined>
