import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

export interface Issued {
  readonly to: string
  /** Its private half. */
  readonly key: KeyObject
  /** Host names and IPv4 addresses. */
  readonly alsoTo?: readonly string[]
}

/** A self-signed certificate (RFC 5280) of RSA with SHA-256, valid from 2025 to 2045. Node can read them, but not make them. */
export const makeCertificate = ({ to, key, alsoTo = [] }: Issued): string => {
  const name = seq(der(0x31, seq(oid('0603550403'), der(0x0c, Buffer.from(to)))))
  const algorithm = seq(oid('06092a864886f70d01010b'), der(0x05))
  const names = seq(...alsoTo.map(nameOf))
  const content = seq(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    algorithm,
    name,
    seq(der(0x17, Buffer.from('250101000000Z')), der(0x17, Buffer.from('450101000000Z'))),
    name,
    createPublicKey(key).export({ format: 'der', type: 'spki' }),
    ...(alsoTo.length > 0 ? [der(0xa3, seq(seq(oid('0603551d11'), der(0x04, names))))] : []),
  )
  const signature = der(0x03, Buffer.of(0), sign('sha256', content, key))
  const text = seq(content, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`
}

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
