import { X509Certificate } from 'node:crypto'
import type { Millis } from '../domain/brands.ts'
import type { Key } from './read-key.ts'

/** PEM blocks in a downloaded file; a chain has two or three. */
const BLOCKS = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g
const MOST_BLOCKS = 5

/**
 * The RSA key of a certificate that its sender published, valid now. With `chain`, the file also has to lead to a root
 * that Node trusts: what came over TLS from the right host is then still not taken on that host's word alone.
 */
export const keyOfCertificate = async (pem: string, now: Millis, chain: 'chain' | 'leaf'): Promise<Key | undefined> => {
  try {
    const certificates = (pem.match(BLOCKS) ?? []).map(block => new X509Certificate(block))
    const [leaf] = certificates
    if (leaf === undefined || certificates.length > MOST_BLOCKS || !certificates.every(each => isValid(each, now))) {
      return undefined
    }
    if (leaf.publicKey.asymmetricKeyType !== 'rsa') return undefined
    return chain === 'leaf' || (await leadsToRoot(certificates)) ? leaf.publicKey : undefined
  } catch {
    return undefined
  }
}

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
