import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto'
import type { Credentials } from './credentials.ts'

/** A request before it is signed. Header names in lower case. */
export interface Unsigned {
  readonly method: string
  readonly host: string
  /** As the service has it canonical: as it goes over the wire for S3, escaped once more for all others. */
  readonly path: string
  /** Sorted and escaped. @default '' */
  readonly query?: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
}

export interface Scope {
  readonly service: string
  readonly region: string
}

/** AWS Signature Version 4: all headers of the request, with those that make the signature. */
export const sign = (
  { method, host, path, query = '', headers, body }: Unsigned,
  { service, region }: Scope,
  { accessKeyId, secretAccessKey, sessionToken }: Credentials,
  at: number,
): Record<string, string> => {
  const { stamp, scope, key } = datedFor(at, secretAccessKey, region, service)
  const digest = hash('sha256', body)
  const signed: Record<string, string> = { ...headers, host, 'x-amz-date': stamp }
  const withDigest = NAMES_DIGEST.has(service)
  if (withDigest) signed['x-amz-content-sha256'] = digest
  if (sessionToken) signed['x-amz-security-token'] = sessionToken

  const { names, list } = orderOf(headers, signed, withDigest, Boolean(sessionToken))
  let lines = ''
  for (const name of names) lines += `${name}:${signed[name]}\n`
  const canonical = `${method}\n${path}\n${query}\n${lines}\n${list}\n${digest}`
  const text = `AWS4-HMAC-SHA256\n${stamp}\n${scope}\n${hash('sha256', canonical)}`
  const signature = createHmac('sha256', key).update(text).digest('hex')
  signed.authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${list}, Signature=${signature}`
  return signed
}

/** The headers of a request in the order in which they are signed. */
interface Order {
  readonly withDigest: boolean
  readonly withToken: boolean
  readonly names: readonly string[]
  readonly list: string
}

const orders = new WeakMap<Unsigned['headers'], Order>()

/** The headers of an operation are one object that never changes: those of all its requests are sorted once. */
const orderOf = (
  headers: Unsigned['headers'],
  signed: Readonly<Record<string, string>>,
  withDigest: boolean,
  withToken: boolean,
): Order => {
  const known = orders.get(headers)
  if (known?.withDigest === withDigest && known.withToken === withToken) return known
  const names = Object.keys(signed).sort()
  const made = { withDigest, withToken, names, list: names.join(';') }
  orders.set(headers, made)
  return made
}

/** Services that want the digest of the body in a header too. */
const NAMES_DIGEST: ReadonlySet<string> = new Set(['execute-api', 'lambda', 's3'])

/** All of a signature that stays the same for a second, and the key, which does for a day. */
interface Dated {
  readonly second: number
  readonly secret: string
  readonly region: string
  readonly stamp: string
  readonly scope: string
  readonly key: KeyObject
}

/** The last of each service: a delivery signs three requests within a few milliseconds. */
const dated = new Map<string, Dated>()

const datedFor = (at: number, secret: string, region: string, service: string): Dated => {
  const second = Math.floor(at / 1000)
  const last = dated.get(service)
  const sameKey = last !== undefined && last.secret === secret && last.region === region
  if (sameKey && last.second === second) return last
  const stamp = `${new Date(second * 1000).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const parts = [stamp.slice(0, 8), region, service, 'aws4_request']
  const scope = parts.join('/')
  const key = sameKey && last.scope === scope ? last.key : signingKey(secret, parts)
  const made = { second, secret, region, stamp, scope, key }
  dated.set(service, made)
  return made
}

/** Four HMACs that only the first request of a day pays for. */
const signingKey = (secret: string, parts: readonly string[]): KeyObject =>
  parts.reduce((last, text) => createSecretKey(hmac(last, text)), createSecretKey(`AWS4${secret}`, 'utf8'))

/** Never of a Buffer: Node makes an error of it inside, with its stack, which takes four times as long as the HMAC. */
const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest()
