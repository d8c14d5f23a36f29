import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

export interface Issued {
  readonly to: string
  /** Its private half. */
  readonly key: KeyObject
  /** Host names and IPv4 addresses. */
  readonly alsoTo?: readonly string[]
  /** @default itself */
  readonly by?: Pick<Issued, 'to' | 'key'>
  /** It may sign others. */
  readonly authority?: boolean
}

/** A certificate (RFC 5280) of RSA with SHA-256, valid from 2025 to 2045. Node can read them, but not make them. */
export const makeCertificate = ({ to, key, alsoTo = [], by = { to, key }, authority = false }: Issued): string => {
  const algorithm = seq(oid('06092a864886f70d01010b'), der(0x05))
  const extensions = [
    ...(alsoTo.length > 0 ? [seq(oid('0603551d11'), der(0x04, seq(...alsoTo.map(nameOf))))] : []),
    ...(authority ? [seq(oid('0603551d13'), YES, der(0x04, seq(YES)))] : []),
  ]
  const content = seq(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    algorithm,
    commonName(by.to),
    seq(der(0x17, Buffer.from('250101000000Z')), der(0x17, Buffer.from('450101000000Z'))),
    commonName(to),
    createPublicKey(key).export({ format: 'der', type: 'spki' }),
    ...(extensions.length > 0 ? [der(0xa3, seq(...extensions))] : []),
  )
  const signature = der(0x03, Buffer.of(0), sign('sha256', content, by.key))
  const text = seq(content, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`
}

/** For a server on localhost: what it shows, and whom its clients have to trust. A root, one between, and its own, as AWS has them. */
export const localhostChain = (): { readonly key: string; readonly cert: string; readonly authority: string } => {
  const [root, between, own] = ['A root', 'One between', 'localhost'].map(to => ({ to, key: newKey() })) as Chain
  const authority = makeCertificate({ ...root, authority: true })
  const cert = [
    makeCertificate({ ...own, alsoTo: ['localhost'], by: between }),
    makeCertificate({ ...between, by: root, authority: true }),
  ]
  return { key: own.key.export({ type: 'pkcs8', format: 'pem' }).toString(), cert: cert.join(''), authority }
}

type Chain = [Issued, Issued, Issued]

const newKey = (): KeyObject => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

const commonName = (to: string): Buffer => seq(der(0x31, seq(oid('0603550403'), der(0x0c, Buffer.from(to)))))

const nameOf = (host: string): Buffer =>
  isIPv4(host) ? der(0x87, Buffer.from(host.split('.').map(Number))) : der(0x82, Buffer.from(host))

const oid = (hex: string): Buffer => Buffer.from(hex, 'hex')

const seq = (...parts: readonly Buffer[]): Buffer => der(0x30, ...parts)

const der = (tag: number, ...parts: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(parts)
  const short = content.length < 0x80
  const length = short ? Buffer.of(content.length) : Buffer.of(0x82, content.length >> 8, content.length & 0xff)
  return Buffer.concat([Buffer.of(tag), length, content])
}

const YES = der(0x01, Buffer.of(0xff))
