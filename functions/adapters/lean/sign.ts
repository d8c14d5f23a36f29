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
  const stamp = `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
  const day = stamp.slice(0, 8)
  const digest = hash('sha256', body)
  const signed: Record<string, string> = { ...headers, host, 'x-amz-date': stamp }
  if (NAMES_DIGEST.has(service)) signed['x-amz-content-sha256'] = digest
  if (sessionToken) signed['x-amz-security-token'] = sessionToken

  const names = Object.keys(signed).sort()
  const list = names.join(';')
  let lines = ''
  for (const name of names) lines += `${name}:${signed[name]}\n`
  const canonical = `${method}\n${path}\n${query}\n${lines}\n${list}\n${digest}`
  const scope = `${day}/${region}/${service}/aws4_request`
  const text = `AWS4-HMAC-SHA256\n${stamp}\n${scope}\n${hash('sha256', canonical)}`
  const signature = createHmac('sha256', signingKey(secretAccessKey, day, region, service))
    .update(text)
    .digest('hex')
  signed.authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${list}, Signature=${signature}`
  return signed
}

/** Services that want the digest of the body in a header too. */
const NAMES_DIGEST: ReadonlySet<string> = new Set(['execute-api', 'lambda', 's3'])

const keys = new Map<string, KeyObject>()

/** More are of days and credentials that are over. */
const MOST_KEYS = 100

/** The same for a day, a region and a service: four HMACs that only the first request of a day pays for. */
const signingKey = (secret: string, day: string, region: string, service: string): KeyObject => {
  const of = `${day}/${region}/${service}/${secret}`
  const known = keys.get(of)
  if (known) return known
  if (keys.size >= MOST_KEYS) keys.clear()
  const key = [day, region, service, 'aws4_request'].reduce(
    (last, text) => createSecretKey(hmac(last, text)),
    createSecretKey(`AWS4${secret}`, 'utf8'),
  )
  keys.set(of, key)
  return key
}

/** Never of a Buffer: Node makes an error of it inside, with its stack, which takes four times as long as the HMAC. */
const hmac = (key: KeyObject, text: string): Buffer => createHmac('sha256', key).update(text).digest()
