import { createHmac } from 'node:crypto'
import type { CodeModule } from '../../domain/scheme.ts'
import { decodeSignature } from '../decode-signature.ts'
import { locate } from '../locate.ts'
import { sameBytes } from '../match-signature.ts'
import { readForm } from '../read-form.ts'
import type { Key } from '../read-key.ts'
import { distrusted, matchedBy } from '../verdict.ts'

export const file = 'braintree'

export const reads: CodeModule['reads'] = { headers: [] }

/** `public_key|signature` pairs in a form, one of them ours; signed is the payload, with or without a last newline. */
export const check: CodeModule['check'] = (_, { source, delivery, keys }) => {
  const pairs = locate({ in: 'form', name: 'bt_signature' }, delivery)
  if ('refused' in pairs) return distrusted(pairs.refused)
  const payload = locate({ in: 'form', name: 'bt_payload' }, delivery)
  if ('refused' in payload) return distrusted(payload.refused)
  const [signature, ...others] = pairs.value
    .split('&', MOST_PAIRS)
    .map(pair => pair.split('|'))
    .filter(([publicKey, ...rest]) => rest.length === 1 && publicKey === source.config.public_key)
  const bytes = others.length === 0 ? decodeSignature('hex', signature?.[1] ?? '') : undefined
  if (bytes === undefined || !isPayload(payload.value)) return distrusted('header-malformed')
  const texts = [payload.value, `${payload.value}\n`]
  return matchedBy(keys, key => texts.some(text => sameBytes(bytes, hmacOf(key, text))))
}

export const sign: CodeModule['sign'] = ({ source, key, delivery }) => {
  const [payload = ''] = readForm(delivery.body)?.get('bt_payload') ?? []
  const signature = `${source.config.public_key}|${hmacOf(key, payload).toString('hex')}`
  return { body: Buffer.from(new URLSearchParams({ bt_signature: signature, bt_payload: payload }).toString()) }
}

export const words = (): string => 'HMAC-SHA1 of the payload, in the form'

export const covers: CodeModule['covers'] = () => ({
  body: 'fields',
  fields: ['form:bt_payload'],
  proof: ['form:bt_signature'],
})

const MOST_PAIRS = 16

const hmacOf = (key: Key, text: string): Buffer => createHmac('sha1', key).update(text, 'utf8').digest()

/** Base64 of XML. The same key signs challenges, which are hex and never that. */
const isPayload = (text: string): boolean =>
  /^[A-Za-z0-9+/=\n]+$/.test(text) && Buffer.from(text, 'base64').toString('latin1').trimStart().startsWith('<')
