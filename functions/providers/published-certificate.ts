import { X509Certificate } from 'node:crypto'
import type { Millis } from '../domain/brands.ts'
import type { Key } from './read-key.ts'

/** PEM blocks in a downloaded file; a chain has two or three. */
const BLOCKS = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
const MOST_BLOCKS = 5
const FEWEST_BITS = 2048

/**
 * The RSA key of a certificate that its sender published, valid now. What came over TLS from the right host is still not taken
 * on that host's word alone: it is issued to the name that its sender has, or, with `chain`, leads to a root that Node trusts.
 */
export const keyOfCertificate = async (
  pem: string,
  now: Millis,
  proof: 'chain' | { readonly issuedTo: string },
): Promise<Key | undefined> => {
  try {
    const certificates = (pem.match(BLOCKS) ?? []).map(block => new X509Certificate(block))
    const [leaf] = certificates
    if (leaf === undefined || certificates.length > MOST_BLOCKS || !certificates.every(each => isValid(each, now))) {
      return undefined
    }
    const { asymmetricKeyType, asymmetricKeyDetails: { modulusLength = 0 } = {} } = leaf.publicKey
    if (asymmetricKeyType !== 'rsa' || modulusLength < FEWEST_BITS) return undefined
    const proven = proof === 'chain' ? await leadsToRoot(certificates) : leaf.checkHost(proof.issuedTo, EXACTLY)
    return proven ? leaf.publicKey : undefined
  } catch {
    return undefined
  }
}

const EXACTLY = { wildcards: false } as const

const isValid = ({ validFromDate, validToDate }: X509Certificate, now: Millis): boolean =>
  validFromDate.getTime() <= now && now <= validToDate.getTime()

/** node:tls takes 40 ms to load, which a bundle would spend at every cold start if it stood at the top of the file. */
const leadsToRoot = async (chain: readonly X509Certificate[]): Promise<boolean> => {
  const { rootCertificates } = await import('node:tls')
  const linked = chain.slice(1).every((issuer, at) => chain[at] && issuer.ca && isIssuedBy(chain[at], issuer))
  const last = chain.at(-1)
  return linked && last !== undefined && rootCertificates.some(pem => isIssuedBy(last, new X509Certificate(pem)))
}

const isIssuedBy = (certificate: X509Certificate, issuer: X509Certificate): boolean =>
  certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey)
