import { generateKeyPairSync, sign } from 'node:crypto'

/** A key and a self-signed certificate for localhost, made on the spot: none has to lie in the repository and expire there. */
export const certificate = (): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = sequence(set(sequence(oid('550403'), tlv(0x0c, Buffer.from('localhost')))))
  const ecdsaWithSha256 = sequence(oid('2a8648ce3d040302'))
  const altName = sequence(oid('551d11'), tlv(0x04, sequence(tlv(0x82, Buffer.from('localhost')))))
  const isAuthority = sequence(
    oid('551d13'),
    tlv(0x01, Buffer.from([0xff])),
    tlv(0x04, sequence(tlv(0x01, Buffer.from([0xff])))),
  )
  const toBeSigned = sequence(
    tlv(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    name,
    sequence(utcTime('200101000000Z'), utcTime('491231235959Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(altName, isAuthority)),
  )
  const signature = sign('sha256', toBeSigned, privateKey)
  const der = sequence(toBeSigned, ecdsaWithSha256, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = der.toString('base64').replaceAll(/(.{64})/g, '$1\n')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  }
}

const tlv = (tag: number, content: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([tag, ...length(content.length)]), content])

const length = (bytes: number): number[] => {
  if (bytes < 128) return [bytes]
  return bytes < 256 ? [0x81, bytes] : [0x82, bytes >> 8, bytes & 255]
}

const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, Buffer.concat(parts))
const set = (...parts: readonly Uint8Array[]): Buffer => tlv(0x31, Buffer.concat(parts))
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'))
const integer = (value: number): Buffer => tlv(0x02, Buffer.from([value]))
const utcTime = (text: string): Buffer => tlv(0x17, Buffer.from(text))
