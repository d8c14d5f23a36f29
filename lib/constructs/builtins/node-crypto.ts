export const {
  createHash,
  createHmac,
  createPublicKey,
  createSecretKey,
  hash,
  KeyObject,
  randomUUID,
  timingSafeEqual,
  verify,
  X509Certificate,
} = process.getBuiltinModule('node:crypto')
