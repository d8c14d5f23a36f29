import { randomBytes } from 'node:crypto'
import { webhookPath } from '../../functions/contract/routes.ts'
import type { Millis } from '../../functions/domain/brands.ts'
import type { Source } from '../../functions/domain/source.ts'
import { readSecrets } from '../connect/file-secrets.ts'
import { valuesOf } from '../operator/change-secrets.ts'
import { judgeSecret } from '../operator/judge-secret.ts'
import { sample } from '../sender/sample.ts'
import { sign } from '../sender/sign.ts'

/** A signed delivery to begin with, as a line for a shell; `undefined` when no source has a secret that can sign. */
export const sampleCurl = (
  url: string,
  sources: ReadonlyMap<string, Source>,
  secretsFile: string,
  now: Millis,
): { readonly source: string; readonly line: string } | undefined => {
  const signer = signerOf(sources, readSecrets(secretsFile))
  return signer && { source: signer.source.name, line: curlLine(url, signer.source, signer.secret, now) }
}

/** Stripe if it is there, since everybody knows it. Senders with a private key cannot be played with any secret. */
const signerOf = (sources: ReadonlyMap<string, Source>, secrets: Readonly<Record<string, readonly string[]>>) => {
  const able = [...sources.values()].flatMap(source => {
    const [secret = ''] = valuesOf(secrets, source.name)
    const usable = ABLE.has(source.scheme.kind) && judgeSecret(source.scheme, secret).kind === 'fits'
    return usable ? [{ source, secret }] : []
  })
  return able.find(({ source }) => source.provider.id === 'stripe') ?? able[0]
}

const ABLE: ReadonlySet<string> = new Set(['hmac', 'token', 'basic'])

/** A signed delivery as one line for a shell. Signed now, it is accepted for as long as its provider allows. */
const curlLine = (url: string, source: Source, secret: string, now: Millis): string => {
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
