import { randomBytes } from 'node:crypto'
import { webhookPath } from '../../functions/contract/routes.ts'
import type { Millis } from '../../functions/domain/brands.ts'
import type { Source } from '../../functions/domain/source.ts'
import { sample } from '../sender/sample.ts'
import { sign } from '../sender/sign.ts'

/** A signed delivery as one line for a shell. The signature is of now, and is accepted as long as its provider allows. */
export const curlLine = (url: string, source: Source, secret: string, now: Millis): string => {
  const target = url + webhookPath(source.name)
  const { id, type, body, headers } = sample(source, { unique: randomBytes(8).toString('hex'), now })
  const signed = sign(source, secret, { url: target, body, headers, id, type, now })
  const { 'user-agent': _, ...sent } = signed.headers
  const flags = Object.entries(sent).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const text = Buffer.from(signed.body).toString('utf8')
  return ['curl', '-i', quotedUrl(signed.url), ...flags, '--data-binary', quoted(text)].join(' ')
}

/** Only where a shell would trip over it. */
const quotedUrl = (url: string): string => (/[?&;]/.test(url) ? quoted(url) : url)

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
