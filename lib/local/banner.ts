import { publishPath, webhookPath } from '../../functions/contract/routes.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { Terminal } from '../terminal/terminal.ts'

type SourceMap = ReadonlyMap<string, Source>

export interface BannerFacts {
  readonly url: string
  readonly console: string
  readonly engine: string
  /** The directory state is kept in, or null for memory. */
  readonly data: string | null
  readonly frozenAt: string | null
  readonly sources: SourceMap
  /** The file whose code gets the events. */
  readonly worker: string
  readonly notes: readonly string[]
  /** Null when no source has a secret to sign with. */
  readonly curl: { readonly source: string; readonly line: string } | null
}

/** What a newcomer needs for the first five minutes. */
export const banner = (facts: BannerFacts, { style }: Pick<Terminal, 'style'>): string =>
  [
    '',
    `${style('bold', 'Hooklatch')} listens on ${style('cyan', facts.url)}`,
    `Console: ${style('cyan', facts.console)}`,
    `${facts.engine}, fauxqs (SQS, S3), ${facts.data === null ? 'all in memory' : `kept in ${facts.data}`}`,
    ...(facts.frozenAt === null ? [] : [style('yellow', `The clock is frozen at ${facts.frozenAt}`)]),
    '',
    ...sourceUrls(facts.url, facts.sources).map(line => `  ${line}`),
    '',
    `Events go to ${facts.worker}`,
    '',
    ...facts.notes.map(note => style('yellow', `! ${note}`)),
    ...(facts.notes.length > 0 ? [''] : []),
    ...tryIt(facts, style),
    'Ctrl-C ends it.',
    '',
  ].join('\n')

export const sourceUrls = (url: string, sources: SourceMap): readonly string[] => {
  const width = Math.max(0, ...[...sources.keys()].map(source => source.length))
  return [...sources.values()].map(
    ({ name, publish }) => `${name.padEnd(width)}  POST ${url}${publish ? publishPath(name) : webhookPath(name)}`,
  )
}

const tryIt = ({ curl, frozenAt }: BannerFacts, style: Terminal['style']): readonly string[] => {
  if (curl === null) return []
  const stale = frozenAt === null ? ' (signed now; a few minutes later it is stale)' : ''
  return [
    style('dim', `Try it${stale}:`),
    curl.line,
    '',
    style('dim', 'Sign each delivery again, and watch events until they are done:'),
    `npx hooklatch send ${curl.source} --times 5 --concurrency 5`,
    'npx hooklatch events --follow',
    '',
  ]
}
