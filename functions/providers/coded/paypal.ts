import { crc32 } from 'node:zlib'
import { iso, toSeconds } from '../../domain/brands.ts'
import type { CodedVerdict, Download, Inspection } from '../../domain/coded.ts'
import type { CodeModule, PublicKeyScheme } from '../../domain/scheme.ts'
import { checkSigned } from '../check-signed.ts'
import { checkTimestamp } from '../check-timestamp.ts'
import { locate } from '../locate.ts'
import { keyOfCertificate } from '../published-certificate.ts'
import type { Key } from '../read-key.ts'
import { distrusted } from '../verdict.ts'

export const file = 'paypal'

export const reads: CodeModule['reads'] = { headers: ['paypal-transmission-sig'] }

export const check: CodeModule['check'] = async (scheme, inspection, download) => {
  const algorithm = inspection.delivery.headers.get('paypal-auth-algo')
  if (algorithm && algorithm.join() !== 'SHA256withRSA') return distrusted('header-malformed')
  const { toleranceSeconds = 0 } = scheme
  const signed = SCHEMES.get(toleranceSeconds) ?? paypalScheme(toleranceSeconds)
  SCHEMES.set(toleranceSeconds, signed)
  if (inspection.keys.length > 0) return checkSigned(signed, inspection)
  const keys = readable(signed, inspection) ?? (await publishedKeys(inspection, download))
  return 'kind' in keys ? keys : checkSigned(signed, { ...inspection, keys })
}

export const sign: CodeModule['sign'] = ({ source, delivery, privately }) => {
  const id = delivery.headers.get('paypal-transmission-id')?.[0] ?? `local-${toSeconds(delivery.receivedAt)}`
  const time = iso(delivery.receivedAt)
  const text = `${id}|${time}|${source.config.webhook_id}|${crc32(delivery.body)}`
  return {
    headers: {
      'paypal-transmission-id': id,
      'paypal-auth-algo': 'SHA256withRSA',
      'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-local',
      'paypal-transmission-time': time,
      'paypal-transmission-sig': privately(Buffer.from(text), 'sha256').toString('base64'),
    },
  }
}

export const words = (): string =>
  'RSA over id, time, webhook and the CRC-32 of the body in `paypal-transmission-sig`, with a certificate that PayPal publishes'

export const covers: CodeModule['covers'] = () => ({
  headers: ['paypal-transmission-id', 'paypal-transmission-time'],
  fixed: ['paypal-auth-algo'],
  checksum: true,
  time: 'always',
})

/** The id of our webhook is part of what is signed; of the body, only its CRC-32 is. */
const paypalScheme = (toleranceSeconds: number): PublicKeyScheme => ({
  kind: 'rsa',
  hash: 'sha256',
  sig: { in: 'header', name: 'paypal-transmission-sig', layout: 'plain', encoding: 'base64' },
  signed: '{header:paypal-transmission-id}|{ts}|{config:webhook_id}|{crc32}',
  key: { encoding: 'x509-pem' },
  ts: { in: 'header', name: 'paypal-transmission-time', unit: 'iso8601', toleranceSeconds },
})

/** What is wrong with a delivery whatever the key: no certificate is downloaded for that. */
const readable = (signed: PublicKeyScheme, inspection: Inspection): CodedVerdict | undefined => {
  const verdict = checkSigned(signed, { ...inspection, keys: [] })
  if (verdict.kind === 'distrusted' && verdict.reason !== 'signature-mismatch') return verdict
  const late =
    signed.ts && checkTimestamp(signed.ts, inspection.delivery, { fields: new Map(), signatures: [] }, inspection.now)
  return late && distrusted(late)
}

const SCHEMES = new Map<number, PublicKeyScheme>()

/** The two hosts that PayPal's APIs have, and where they keep certificates. */
const CERTIFICATE = /^https:\/\/api(?:\.sandbox)?\.paypal\.com\/v1\/notifications\/certs\/[\w-]{1,128}$/

const publishedKeys = async (
  { delivery, now }: Inspection,
  download: Download,
): Promise<readonly Key[] | CodedVerdict> => {
  const url = locate({ in: 'header', name: 'paypal-cert-url' }, delivery)
  if ('refused' in url) return distrusted(url.refused)
  if (!CERTIFICATE.test(url.value)) return distrusted('header-malformed')
  const answer = await download(url.value)
  if (answer.kind === 'unavailable') return answer
  const key = await keyOfCertificate(answer.text, now, 'chain')
  return key ? [key] : distrusted('signature-mismatch')
}
