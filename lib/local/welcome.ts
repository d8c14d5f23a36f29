import { isAbsolute, relative } from 'node:path'
import { iso } from '../../functions/domain/brands.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { DynamoKind } from '../connect/instance.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { banner } from './banner.ts'
import type { LocalOptions, LocalReceiver } from './open-local.ts'
import { sampleCurl } from './sample-curl.ts'

/** The banner of a local instance that has just been opened. */
export const welcome = (
  { url, console, engines, now }: LocalReceiver,
  { dataDir, directory, frozenAt, secretsFile, workerFile }: LocalOptions,
  sources: ReadonlyMap<string, Source>,
  notes: readonly string[],
  terminal: Terminal,
): string =>
  banner(
    {
      url,
      console,
      engine: ENGINES[engines.dynamodb.kind],
      data: dataDir ?? null,
      frozenAt: frozenAt === undefined ? null : iso(frozenAt),
      sources,
      worker: asTyped(directory, workerFile),
      notes,
      curl: sampleCurl(url, sources, secretsFile, now()) ?? null,
    },
    terminal,
  )

const asTyped = (directory: string, file: string): string => {
  const short = relative(directory, file)
  return short.startsWith('..') || isAbsolute(short) ? file : short
}

const ENGINES = {
  dynoxide: 'dynoxide (DynamoDB)',
  // It has no flag for an address to listen on.
  'dynamodb-local': 'DynamoDB Local (with Java, and open to your network)',
} as const satisfies Record<DynamoKind, string>
