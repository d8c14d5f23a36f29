export const { constants, crc32, zstdCompressSync, zstdDecompressSync } = process.getBuiltinModule('node:zlib')
