export const {
  createHash,
  createHmac,
  createPublicKey,
  createSecretKey,
  hash,
  KeyObject,
  randomFillSync,
  randomUUID,
  timingSafeEqual,
  verify,
  X509Certificate,
} = process.getBuiltinModule('node:crypto')
