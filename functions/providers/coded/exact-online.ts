import { createHmac } from 'node:crypto'
import type { CodeModule } from '../../domain/scheme.ts'
import { sameBytes } from '../match-signature.ts'
import type { Key } from '../read-key.ts'
import { distrusted, matchedBy } from '../verdict.ts'

export const file = 'exact-online'

export const reads: CodeModule['reads'] = { headers: [] }

/** `{"Content":…,"HashCode":"…"}` and not a byte more, so all of the body is either signed or the signature. */
export const check: CodeModule['check'] = (_, { delivery, keys }) => {
  const body = Buffer.from(delivery.body)
  const end = body.lastIndexOf(BETWEEN)
  if (end < BEFORE.length || !body.subarray(0, BEFORE.length).equals(BEFORE)) return distrusted('header-missing')
  const [, hash] = /^([0-9A-F]{64})"\}$/.exec(body.subarray(end + BETWEEN.length).toString('latin1')) ?? []
  if (hash === undefined) return distrusted('header-malformed')
  const content = body.subarray(BEFORE.length, end)
  return matchedBy(keys, key => sameBytes(Buffer.from(hash, 'hex'), hmacOf(key, content)))
}

export const sign: CodeModule['sign'] = ({ key, delivery: { body } }) => {
  const hash = hmacOf(key, body).toString('hex').toUpperCase()
  return { body: Buffer.concat([BEFORE, body, BETWEEN, Buffer.from(`${hash}"}`)]) }
}

export const words = (): string => 'HMAC-SHA256 of Content, in HashCode beside it'

export const covers: CodeModule['covers'] = () => ({ body: 'bytes' })

const BEFORE = Buffer.from('{"Content":')
const BETWEEN = Buffer.from(',"HashCode":"')

const hmacOf = (key: Key, content: Uint8Array): Buffer => createHmac('sha256', key).update(content).digest()
