import type { Fingerprint, Sha256 } from './brands.ts'
import { sha256 } from './identity.ts'
import { type Packed, pack, unpack } from './packing.ts'
import type { KeptBody } from './ports.ts'

const NEWLINE = 0x0a

/** One line of JSON (id and headers), then the raw bytes: a body that can be forwarded again without its sender. */
export const packKeptBody = ({ fingerprint, sha256: digest, eventId, headers, ordering, bytes }: KeptBody): Packed => {
  // Under another hash nobody would find them again.
  if (sha256(bytes) !== digest) throw new BodyDamaged(`the body of ${fingerprint} does not match its hash ${digest}`)
  return pack(Buffer.concat([Buffer.from(`${JSON.stringify({ eventId, headers, ordering })}\n`, 'utf8'), bytes]))
}

/** Its bytes are there and are not what was kept: no service is at fault, and asking again does not help. */
export class BodyDamaged extends Error {
  override readonly name = 'BodyDamaged'
}

export const unpackKeptBody = (packed: Packed, fingerprint: Fingerprint, digest: Sha256): KeptBody => {
  try {
    return unframed(packed, fingerprint, digest)
  } catch {
    throw new BodyDamaged(`the kept body of ${fingerprint} does not match its hash ${digest}`)
  }
}

const unframed = (packed: Packed, fingerprint: Fingerprint, digest: Sha256): KeptBody => {
  const { buffer, byteOffset, byteLength } = unpack(packed)
  const framed = Buffer.from(buffer, byteOffset, byteLength)
  const end = framed.indexOf(NEWLINE)
  const { eventId, headers, ordering = null } = JSON.parse(framed.subarray(0, end).toString('utf8'))
  const bytes = framed.subarray(end + 1)
  if (sha256(bytes) !== digest) throw new RangeError('another hash')
  return { fingerprint, sha256: digest, bytes, eventId, headers, ordering }
}
