import { createPrivateKey, type KeyObject } from 'node:crypto'

/**
 * The private half of the public key in lib/local/secrets.json, so that `send` can play Discord. Fake, published, and
 * only ever used on a laptop.
 */
export const localPrivateKey = (): KeyObject =>
  createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'OKP',
      crv: 'Ed25519',
      x: '-zRPXxhxFDjHIxIbrjZoUw1iERlQokyvD8bGWIjebHg',
      d: 'jV0CoaynVfNj8Oqw1pHYUjSK0_qRXqR6N8iqmx5-DNY',
    },
  })
