import { createHash } from 'node:crypto'
import { iso, toSeconds } from '../../functions/domain/brands.ts'
import type { CodeName, CodeScheme } from '../../functions/domain/scheme.ts'
import { adyenHmac, adyenText } from '../../functions/providers/coded/adyen-items.ts'
import { snsText } from '../../functions/providers/coded/aws-sns.ts'
import { braintreeHmac } from '../../functions/providers/coded/braintree.ts'
import { contentfulContent, contentfulHmac } from '../../functions/providers/coded/contentful.ts'
import { exactHmac } from '../../functions/providers/coded/exact-online.ts'
import { signatureBase } from '../../functions/providers/coded/http-signatures.ts'
import { paypalScheme } from '../../functions/providers/coded/paypal.ts'
import { plivoHmac, plivoText } from '../../functions/providers/coded/plivo.ts'
import { readForm } from '../../functions/providers/read-form.ts'
import type { Proof, Signer } from './sign.ts'
import { signContent } from './sign-content.ts'
import { signPrivately } from './sign-privately.ts'

/** The mirror of functions/providers/check-coded.ts. */
export const signCoded = (scheme: CodeScheme, signer: Signer): Proof => SIGNERS[scheme.code](signer, scheme)

const jsonOf = ({ delivery }: Signer) => JSON.parse(Buffer.from(delivery.body).toString('utf8'))
const bytesOf = (value: unknown): Uint8Array => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value))

const signAdyen = (signer: Signer): Proof => {
  const json = jsonOf(signer)
  for (const { NotificationRequestItem: item } of json.notificationItems) {
    item.additionalData = { hmacSignature: adyenHmac(signer.key, adyenText(item)).toString('base64') }
  }
  return { body: bytesOf(json) }
}

const signSns = (signer: Signer): Proof => {
  const json = { ...jsonOf(signer), Timestamp: iso(signer.delivery.receivedAt), SignatureVersion: '2' }
  const text = snsText(json)
  if (text === undefined) throw new TypeError(`source ${signer.source.name}: the body is no message of SNS`)
  const Signature = signPrivately(signer.key, Buffer.from(text), 'sha256').toString('base64')
  const SigningCertURL = 'https://sns.eu-central-1.amazonaws.com/SimpleNotificationService-local.pem'
  return { body: bytesOf({ ...json, Signature, SigningCertURL }) }
}

const signBraintree = ({ source, key, delivery }: Signer): Proof => {
  const [payload = ''] = readForm(delivery.body)?.get('bt_payload') ?? []
  const signature = `${source.config.public_key}|${braintreeHmac(key, payload).toString('hex')}`
  return { body: bytesOf(new URLSearchParams({ bt_signature: signature, bt_payload: payload }).toString()) }
}

const signContentful = ({ source, key, delivery }: Signer): Proof => {
  const headers = {
    'x-contentful-signed-headers': 'x-contentful-signed-headers,x-contentful-timestamp',
    'x-contentful-timestamp': String(delivery.receivedAt),
  }
  const sent = new Map([
    ...delivery.headers,
    ...Object.entries(headers).map(([name, value]) => [name, [value]] as const),
  ])
  const content = contentfulContent(source, { ...delivery, headers: sent })
  if ('refused' in content) throw new TypeError(`source ${source.name}: nothing to sign, ${content.refused}`)
  return { headers: { ...headers, 'x-contentful-signature': contentfulHmac(key, content.value).toString('hex') } }
}

const signEbay = ({ key, delivery }: Signer): Proof => {
  const signature = signPrivately(key, delivery.body, 'sha1').toString('base64')
  const header = { alg: 'ecdsa', kid: 'local', signature, digest: 'SHA1' }
  return { headers: { 'x-ebay-signature': Buffer.from(JSON.stringify(header)).toString('base64') } }
}

const signExact = ({ key, delivery }: Signer): Proof => {
  const hash = exactHmac(key, delivery.body).toString('hex').toUpperCase()
  return { body: Buffer.concat([bytesOf('{"Content":'), delivery.body, bytesOf(`,"HashCode":"${hash}"}`)]) }
}

const signHttp = ({ key, delivery }: Signer): Proof => {
  const digest = `sha-256=:${createHash('sha256').update(delivery.body).digest('base64')}:`
  const parameters = `("content-digest");created=${toSeconds(delivery.receivedAt)};alg="ed25519";keyid="local"`
  const signature = signPrivately(key, Buffer.from(signatureBase(digest, parameters)), undefined).toString('base64')
  return {
    headers: { 'content-digest': digest, 'signature-input': `sig_1=${parameters}`, signature: `sig_1=:${signature}:` },
  }
}

const signGraph = (signer: Signer): Proof => {
  const json = jsonOf(signer)
  const value = json.value.map((notification: object) => ({ ...notification, clientState: signer.secret }))
  return { body: bytesOf({ ...json, value }) }
}

const signPaypal = (signer: Signer, { toleranceSeconds = 0 }: CodeScheme): Proof => {
  const more = {
    'paypal-transmission-id': `local-${toSeconds(signer.delivery.receivedAt)}`,
    'paypal-auth-algo': 'SHA256withRSA',
    'paypal-cert-url': 'https://api.paypal.com/v1/notifications/certs/CERT-local',
  }
  const headers = new Map([
    ...signer.delivery.headers,
    ...Object.entries(more).map(([name, value]) => [name, [value]] as const),
  ])
  const proof = signContent(paypalScheme(toleranceSeconds), { ...signer, delivery: { ...signer.delivery, headers } })
  return { ...proof, headers: { ...more, ...proof.headers } }
}

const signPlivo = ({ source, key, delivery }: Signer): Proof => {
  const nonce = String(delivery.receivedAt)
  const text = plivoText(source, delivery, nonce)
  if (text === undefined) throw new TypeError(`source ${source.name}: the body is no form`)
  return {
    headers: { 'x-plivo-signature-v3-nonce': nonce, 'x-plivo-signature-v3': plivoHmac(key, text).toString('base64') },
  }
}

const SIGNERS = {
  'adyen-items': signAdyen,
  'aws-sns': signSns,
  braintree: signBraintree,
  contentful: signContentful,
  ebay: signEbay,
  'exact-online': signExact,
  'http-signatures': signHttp,
  'microsoft-graph': signGraph,
  paypal: signPaypal,
  plivo: signPlivo,
} satisfies Record<CodeName, (signer: Signer, scheme: CodeScheme) => Proof>
