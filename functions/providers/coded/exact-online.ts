import { createHmac } from 'node:crypto'
import type { Verdict } from '../../domain/verdict.ts'
import type { CheckCode } from '../check-coded.ts'
import { distrusted, type Inspection, matchedBy } from '../inspection.ts'
import { sameBytes } from '../match-signature.ts'
import type { Key } from '../read-key.ts'

const BEFORE = Buffer.from('{"Content":')
const BETWEEN = Buffer.from(',"HashCode":"')

/** `{"Content":…,"HashCode":"…"}` and not a byte more, so that all of the body is either signed or the signature. */
export const checkExactOnline: CheckCode = (_, { delivery, keys }: Inspection): Verdict => {
  const body = Buffer.from(delivery.body)
  const end = body.lastIndexOf(BETWEEN)
  if (end < BEFORE.length || !body.subarray(0, BEFORE.length).equals(BEFORE)) return distrusted('header-missing')
  const [, hash] = /^([0-9A-F]{64})"\}$/.exec(body.subarray(end + BETWEEN.length).toString('latin1')) ?? []
  if (hash === undefined) return distrusted('header-malformed')
  const content = body.subarray(BEFORE.length, end)
  return matchedBy(keys, key => sameBytes(Buffer.from(hash, 'hex'), exactHmac(key, content)))
}

export const exactHmac = (key: Key, content: Uint8Array): Buffer => createHmac('sha256', key).update(content).digest()
