import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { BODY_LIMIT_BYTES } from '../contract/limits.ts'

/** Below this, compression saves less than it costs. */
const WORTH_COMPRESSING_BYTES = 2_048

/** A kept body carries its headers too. */
const UNPACKED_LIMIT_BYTES = BODY_LIMIT_BYTES + 262_144

const LEVEL_1 = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

export interface Packed {
  readonly compressed: boolean
  readonly bytes: Uint8Array
}

/** zstd level 1: as small as gzip 6 on JSON, at a quarter of its time. What does not shrink stays as it is. */
export const pack = (bytes: Uint8Array): Packed => {
  if (bytes.length < WORTH_COMPRESSING_BYTES) return { compressed: false, bytes }
  const smaller = zstdCompressSync(bytes, LEVEL_1)
  return smaller.length < bytes.length ? { compressed: true, bytes: smaller } : { compressed: false, bytes }
}

export const unpack = (packed: Packed): Uint8Array =>
  packed.compressed ? zstdDecompressSync(packed.bytes, { maxOutputLength: UNPACKED_LIMIT_BYTES }) : packed.bytes
