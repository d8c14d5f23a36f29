import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Hash } from '../../functions/domain/scheme.ts'
import { localPrivateKey, type PairKind } from './local-key-pair.ts'

/** With the private half of a local pair, if that is what the source trusts. */
export const signPrivately = (
  trusted: KeyObject,
  data: Uint8Array,
  hash: Hash | undefined,
  dsaEncoding: 'der' | 'ieee-p1363' = 'der',
): Buffer => {
  const key = localPrivateKey(pairOf(trusted))
  if (!createPublicKey(key.export({ format: 'pem', type: 'pkcs8' })).equals(trusted)) {
    throw new TypeError('only the sender has the private key: with lib/local/secrets.json, the local one is used')
  }
  return key.asymmetricKeyType === 'ed25519'
    ? sign(null, data, key)
    : sign(hash ?? 'sha256', data, { key, dsaEncoding })
}

const pairOf = ({ asymmetricKeyType: type }: KeyObject): PairKind =>
  type === 'ec' || type === 'rsa' ? type : 'ed25519'
