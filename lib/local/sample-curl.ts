import type { Millis } from '../../functions/domain/brands.ts'
import { needsSecret } from '../../functions/domain/scheme.ts'
import type { Source } from '../../functions/domain/source.ts'
import { readSecrets } from '../connect/file-secrets.ts'
import { curlLine } from './curl-line.ts'

/** A signed delivery to begin with, as a line for a shell; `undefined` when no source has a secret to sign with. */
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
  const able = [...sources.values()].filter(({ scheme }) => needsSecret(scheme) && ABLE.has(scheme.kind))
  const source = able.find(({ provider }) => provider.id === 'stripe') ?? able[0]
  const secret = source && secrets[source.name]?.[0]
  return source && secret ? { source, secret } : undefined
}

const ABLE: ReadonlySet<string> = new Set(['hmac', 'token', 'basic'])
