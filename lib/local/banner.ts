import { isAbsolute, relative } from 'node:path'
import { iso } from '../../functions/domain/brands.ts'
import type { Destination } from '../../functions/domain/destinations.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { DynamoKind } from '../connect/instance.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { localSecret } from './destination-consumers.ts'
import type { LocalOptions, LocalReceiver } from './open-local.ts'
import { sampleCurl } from './sample-curl.ts'
import { sourceUrls } from './source-urls.ts'

/** What a newcomer needs for the first five minutes. */
export const banner = (
  { url, console, engines, now, tables }: LocalReceiver,
  { dataDir, directory, frozenAt, secretsFile, workerFile, destinations }: LocalOptions,
  sources: ReadonlyMap<string, Source>,
  notes: readonly string[],
  { style }: Pick<Terminal, 'style'>,
): readonly string[] => {
  const curl = sampleCurl(url, sources, secretsFile, now())
  return [
    '',
    `${style('bold', 'Hooklatch')} listens on ${style('cyan', url)}`,
    `Console: ${style('cyan', console)}`,
    `${ENGINES[engines.dynamodb.kind]}, fauxqs (SQS, S3), ${dataDir === undefined ? 'nothing is kept' : `kept in ${dataDir}`}`,
    ...(frozenAt === undefined ? [] : [style('yellow', `The clock is frozen at ${iso(frozenAt)}`)]),
    '',
    ...sourceUrls(url, sources).map(line => `  ${line}`),
    '',
    `Events go to ${asTyped(directory, workerFile)}`,
    ...Object.entries(destinations).map(([name, each]) => `Events for ${name} go to ${destinationWords(name, each)}`),
    ...(Object.keys(tables).length > 0 ? [`Your tables: ${Object.values(tables).join(', ')}`] : []),
    '',
    ...notes.map(note => style('yellow', `! ${note}`)),
    ...(notes.length > 0 ? [''] : []),
    ...(curl === undefined ? [] : tryIt(curl, frozenAt === undefined, style)),
    'Ctrl-C ends it.',
    '',
  ]
}

const tryIt = (
  { source, line }: { readonly source: string; readonly line: string },
  ages: boolean,
  style: Terminal['style'],
): readonly string[] => [
  style('dim', `Try it${ages ? ' (signed now; a few minutes later it is stale)' : ''}:`),
  line,
  '',
  style('dim', 'Sign each delivery again, and watch events until they are done:'),
  `npx hooklatch send ${source} --times 5 --concurrency 5`,
  'npx hooklatch events --follow',
  '',
]

const destinationWords = (name: string, destination: Destination): string => {
  if ('worker' in destination) return destination.worker
  if ('queue' in destination) return `the queue ${destination.queue}, which is here too`
  if ('bus' in destination) return `the bus ${destination.bus}: there is none here, so they are printed`
  return `${destination.url}, signed with ${localSecret(name)}`
}

const asTyped = (directory: string, file: string): string => {
  const short = relative(directory, file)
  return short.startsWith('..') || isAbsolute(short) ? file : short
}

const ENGINES = {
  dynoxide: 'dynoxide (DynamoDB)',
  // It has no flag for an address to listen on.
  'dynamodb-local': 'DynamoDB Local (with Java; your network can reach it, but not your data: see SECURITY.md)',
  memory: 'a DynamoDB in this process',
} as const satisfies Record<DynamoKind, string>
