import { crc32 } from 'node:zlib'

/** The body with 64 white spaces after it, chosen so its CRC-32 is the wanted one: what a CRC is worth as a proof. */
export const withCrc = (body: Uint8Array, wanted: number): Uint8Array => {
  const padded = Buffer.concat([body, Buffer.alloc(64, ' ')])
  const base = crc32(padded)
  // Each space that becomes a tab changes the CRC by a pattern of its own, whatever the others are.
  const rows = Array.from({ length: 64 }, (_, at) => {
    const changed = Buffer.from(padded)
    changed[body.length + at] = TAB
    return { pattern: (crc32(changed) ^ base) >>> 0, of: 1n << BigInt(at) }
  })
  const chosen = combine(rows, (base ^ wanted) >>> 0)
  for (let at = 0; at < 64; at++) if ((chosen >> BigInt(at)) & 1n) padded[body.length + at] = TAB
  if (crc32(padded) !== wanted) throw new Error('64 white spaces were not enough')
  return padded
}

const TAB = 0x09

interface Row {
  readonly pattern: number
  /** Which white spaces make it. */
  readonly of: bigint
}

/** Gaussian elimination over bits. */
const combine = (rows: readonly Row[], wanted: number): bigint => {
  const basis: Row[] = []
  const reduced = (row: Row): Row =>
    basis.reduce(
      (left, { pattern, of }) =>
        (left.pattern ^ pattern) >>> 0 < left.pattern
          ? { pattern: (left.pattern ^ pattern) >>> 0, of: left.of ^ of }
          : left,
      row,
    )
  for (const row of rows) {
    const left = reduced(row)
    if (left.pattern !== 0) basis.push(left)
    basis.sort((one, other) => other.pattern - one.pattern)
  }
  return reduced({ pattern: wanted, of: 0n }).of
}
