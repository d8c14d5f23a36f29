import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import type { Hash } from '../../functions/domain/scheme.ts'

export type PairKind = 'ed25519' | 'ec' | 'rsa'

/**
 * The private halves of the public keys that a laptop trusts, so `send` can play senders who sign with one. Fake,
 * published, and only ever used on a laptop. The first is that of lib/local/secrets.json.
 */
export const localPrivateKey = (kind: PairKind = 'ed25519'): KeyObject =>
  createPrivateKey({ format: 'jwk', key: { ...PAIRS[kind] } })

/** What such a sender would show in its dashboard: a PEM, which every scheme with a public key takes. */
export const localPublicKey = (kind: PairKind = 'ed25519'): string =>
  createPublicKey(localPrivateKey(kind)).export({ format: 'pem', type: 'spki' }).toString()

const PAIRS = {
  ed25519: {
    kty: 'OKP',
    crv: 'Ed25519',
    x: '-zRPXxhxFDjHIxIbrjZoUw1iERlQokyvD8bGWIjebHg',
    d: 'jV0CoaynVfNj8Oqw1pHYUjSK0_qRXqR6N8iqmx5-DNY',
  },
  ec: {
    kty: 'EC',
    x: 'nthm9zAyG5g8Wn4lP4km4XuFg8ecV2oYLUA2puCd6vQ',
    y: 'SmcRWyJ3P6VShzmKqz8vzQNk1eHbYXyAZBmHffv83fw',
    crv: 'P-256',
    d: '_5CABguahdnCO4zkNhQ0q1X2kY2Q5PfYTHVknb37dZA',
  },
  rsa: {
    kty: 'RSA',
    n: 'xJ-vvzkCb6svXhY7tN78j1Z4MNIPs9f-YcmltGk6LOAuyJ9XD4JuDXMNM59zwJeRG-8Fys0_sFJSvrSbn_28KLe_3FXW_LsvsPOvIzQjenIqzWpICVroZyO9Wtof0lLd3jXZtBpd2eDGU9hmv7515_bsvhYUj7TiQ9UJ3ELh8bYkjggbX5TQ0hEBbPnh3rvl5h9xbJCuBQYr3GR6yu0MAykQz38DL4lgQOtGAHmoDT8UgIcjNFwQpxvdmH2xX_0fKAqIW3UDF_tSMap-Sd0jbSQyIHMyTiac8UlfuJRDMsl1FA-vdWs2w9bJND35G2WtGa0lo37JmJkIgk3Rfr9pzw',
    e: 'AQAB',
    d: 'Bq1LiQlVEVi1U5MatPIrjmyHyVSgzuEjVMvFskIuhQ6Z2Bs9GBw8Q32oMZwVELG07kdoIXJl2sV45Nv6Ou0hYhqXS9Koac2reW1VAbOIDuTomjAlQRgSs0nt6LNmiDxjJ2QZv_lzPW5aHcfH-XPsyhNDB9N1IEoqstX9rzqgNJaFDZgxEhBkdl6N7yKagXVK3wrJdQwKg4-8O_A47KqGC_HLH4-8EA9UpZE6Tcxlz7hhHW536UQyt1XpTlBbBA7dPpfsoBE108Bby-rIDM77xRUj42FXZfbsPopjIZt5cvFEN9PplazrjsghuQRReuyK_5YSHf5lL3sMfffLA8HfXQ',
    p: '9BPMEmUbeTcotzQQ7Gv8Fvd-vBF192M38PVMZKlx5TF6KP97JPulMkXBNFYULvShNVJ-PcYUJD5mSObMZhjBq4fh2k_PZr5mhiBkaDAAyO0z3oYKwhuvlLAbtO6lLqXIx5CtkySPtf8S2bD-fqLLBCkFfMiPuv-jhykQrDtfh5M',
    q: 'zjp6w9-Pp7GRASf_B0VV4pBXm1ITHUjqflkYGitv6WWD_czPg8__74gIjW9rjpfgNKtLDobxQAg94CDLFJddWc5htbIsF-Wb-yQDxm6iXoSqVX-xy6snAS838U2S7zumw1uuydQ4tVByqojv723YnNjV75do2oDGk3bE02nOwlU',
    dp: 'T5ZtAsqJTNtZoXOO2SjVCMAnSTgAWWy2_xFdma1PAEdD6D52bzbHRT9Nor0206DdOD_v_kCqrK7UN41atSf5bu9eDAveO0h2seG6G-cbOmlucm8O7wCMHlXWkwcGQdG5SKm6j7JqUhQcl3OJaM24mWCu82OKypU1Q4t2blLl8ZU',
    dq: 'v90QUiMv12gP6-92CSGsobiAiPR27Avmfd4N2msHFzFm9z0Q4yUki4kXy94ZRvRtlxK2JbHNyTDhwB9CUMnyA5dKuGwnMaRg1enPyVEspprujdTbaQy2oRd5CHqPdRseLyqhFwzmJWnPBHGaKDseB-6EOv-2gXLFTHR28enCfnE',
    qi: 'mThS_oBQICN3-HdsDV5Qgn0tsWGMVXsGDQCWLMcEWIZaWnRtNIMnL4sa_jcUPLOme0mCGVX1rsSFUqRR3bWRe-Ykarg3Wl-UYUI7Bnyzf27rF-ZYTRiLNmgdd3M3IKPtluaSAWoqDN2ljV5ZZECtFAKs63hwVDivIHnvl4Yf6WY',
  },
} satisfies Record<PairKind, object>

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
