import type { PublicKeyFormat, Scheme, SecretKeyFormat } from '../../functions/domain/scheme.ts'
import { localPublicKey, type PairKind } from './local-key-pair.ts'

/** A fake secret of the right shape; of a sender with a private key, the public half of a local pair. */
export const exampleSecret = (scheme: Scheme): string => {
  switch (scheme.kind) {
    case 'hmac':
    case 'digest':
    case 'token':
      return secretOf(scheme.key)
    case 'ed25519':
    case 'ecdsa':
    case 'rsa':
      return localPublicKey(PAIR_OF[scheme.kind])
    case 'jwt':
      return isSecret(scheme.key) ? secretOf(scheme.key) : localPublicKey(pairFor(scheme.algorithms[0]))
    case 'code':
      return isSecret(scheme.key) ? secretOf(scheme.key) : localPublicKey(PAIR_OF[scheme.keyType ?? 'rsa'])
    case 'any': {
      const [best] = Object.values(scheme.of)
      return best ? exampleSecret(best) : ''
    }
    case 'basic':
      return 'hooklatch:local-basic-password'
    case 'none':
      return ''
  }
}

const LITERAL = 'local-secret-0123456789abcdef'

const PAIR_OF = { ed25519: 'ed25519', ecdsa: 'ec', rsa: 'rsa' } as const satisfies Record<string, PairKind>

const pairFor = (algorithm: string | undefined): PairKind =>
  algorithm?.startsWith('RS') ? 'rsa' : algorithm?.startsWith('ES') ? 'ec' : 'ed25519'

const isSecret = (key: SecretKeyFormat | PublicKeyFormat): key is SecretKeyFormat =>
  Object.hasOwn(BY_ENCODING, key.encoding)

const secretOf = ({ encoding, stripPrefixes = [], knownPrefixes = [] }: SecretKeyFormat): string =>
  `${stripPrefixes[0] ?? knownPrefixes[0] ?? ''}${BY_ENCODING[encoding]}`

const BY_ENCODING = {
  utf8: LITERAL,
  base64: Buffer.from(LITERAL).toString('base64'),
  hex: Buffer.from(LITERAL).toString('hex'),
  'sha1(utf8)': LITERAL,
} satisfies Record<SecretKeyFormat['encoding'], string>
