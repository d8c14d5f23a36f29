import { isAbsolute, relative } from 'node:path'
import { iso } from '../../functions/domain/brands.ts'
import { needsSecret } from '../../functions/domain/scheme.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { Terminal } from '../cli/terminal.ts'
import { banner } from './banner.ts'
import { curlLine } from './curl-line.ts'
import type { DynamoKind } from './engines/start-engines.ts'
import { readSecrets } from './file-secrets.ts'
import type { Desk } from './open-desk.ts'
import type { DeskOptions } from './start.ts'

/** The banner of a desk that has just been opened. */
export const welcome = (
  { url, engines, now }: Desk,
  { dataDir, directory, frozenAt, secretsFile, workerFile }: DeskOptions,
  sources: ReadonlyMap<string, Source>,
  notes: readonly string[],
  terminal: Terminal,
): string => {
  const signer = signerOf(sources, readSecrets(secretsFile))
  return banner(
    {
      url,
      engine: ENGINES[engines.dynamodb.kind],
      data: dataDir ?? null,
      frozenAt: frozenAt === undefined ? null : iso(frozenAt),
      sources,
      worker: asTyped(directory, workerFile),
      notes,
      curl: signer && { source: signer.source.name, line: curlLine(url, signer.source, signer.secret, now()) },
    },
    terminal,
  )
}

const asTyped = (directory: string, file: string): string => {
  const short = relative(directory, file)
  return short.startsWith('..') || isAbsolute(short) ? file : short
}

const ENGINES = {
  dynoxide: 'dynoxide (DynamoDB)',
  // It has no flag for an address to listen on.
  'dynamodb-local': 'DynamoDB Local (with Java, and open to your network)',
} as const satisfies Record<DynamoKind, string>

/** Stripe if it is there, since everybody knows it. Senders with a private key cannot be played with any secret. */
const signerOf = (sources: ReadonlyMap<string, Source>, secrets: Readonly<Record<string, readonly string[]>>) => {
  const able = [...sources.values()].filter(({ scheme }) => needsSecret(scheme) && ABLE.has(scheme.kind))
  const source = able.find(({ provider }) => provider.id === 'stripe') ?? able[0]
  const secret = source && secrets[source.name]?.[0]
  return source && secret ? { source, secret } : null
}

const ABLE: ReadonlySet<string> = new Set(['hmac', 'token', 'basic'])
