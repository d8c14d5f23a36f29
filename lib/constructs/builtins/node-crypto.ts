export const {
  createHash,
  createHmac,
  createPublicKey,
  createSecretKey,
  hash,
  KeyObject,
  randomBytes,
  randomUUID,
  timingSafeEqual,
  verify,
  X509Certificate,
} = process.getBuiltinModule('node:crypto')
