import type { Source } from '../../../functions/domain/source.ts'
import { connect } from '../../connect/connect.ts'
import type { Connection } from '../../connect/connection.ts'
import { explainFault, isDenied } from '../../connect/explain-fault.ts'
import { loadSources } from '../../connect/load-sources.ts'
import { isRefusal } from '../../connect/refusal.ts'
import { listSecrets } from '../../operator/list-secrets.ts'
import { table } from '../../terminal/table.ts'
import type { Style, Terminal } from '../../terminal/terminal.ts'
import { type SourceView, sourceView, strangeSource } from '../print/source-view.ts'
import { TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const sources = verb({
  summary: 'List the sources: the URL of each, how it is set up, and whether its secret is there.',
  operands: [],
  flags: {
    json: { help: 'Print { "sources": [...] }.' },
    'source-file': {
      value: 'FILE',
      help: 'The file with the sources (default: sources.ts, or the one of the local instance).',
    },
    ...TARGET_FLAGS,
  },
  teaches: [
    'The settings come from the source file, the URLs from the deployment. A source that is in only one of the two is marked.',
    'Give the URL to the sender. In a pipe: name, state, provider, secret, retain, window, guard, URL.',
    '',
    '  npx hooklatch sources',
    '  npx hooklatch sources --stack Hooklatch-production --json | jq -r ".sources[] | .name, .url"',
  ].join('\n'),
  async run({ flags }, terminal) {
    const connection = await connect(flags)
    if (isRefusal(connection)) return connection
    const configured = await loadSources(flags['source-file'] ?? connection.sourceFile)
    if (isRefusal(configured)) return configured
    const views = viewsOf(connection, configured, await secretStates(connection, configured, terminal))
    if (flags.json) terminal.out(JSON.stringify({ sources: views }, null, 2))
    else
      for (const line of table(
        terminal,
        TITLES,
        views.map(view => row(view, terminal)),
      ))
        terminal.out(line)
    return 0
  },
})

type States = ReadonlyMap<string, SourceView['secret']>

const viewsOf = (connection: Connection, configured: ReadonlyMap<string, Source>, states: States): SourceView[] => [
  ...[...configured.values()].map(source =>
    sourceView(source, connection.urlOf(source.name), states.get(source.name) ?? 'unknown'),
  ),
  ...(connection.kind === 'aws' ? [...connection.urls] : [])
    .filter(([name]) => !configured.has(name))
    .map(([name, url]) => strangeSource(name, url)),
]

/** Whoever may not read secrets sees everything else. */
const secretStates = async (
  connection: Connection,
  configured: ReadonlyMap<string, Source>,
  terminal: Terminal,
): Promise<States> => {
  try {
    const { lists } = await connection.secrets.read()
    const found = listSecrets(configured, lists, new Map(), connection.now())
    return new Map(found.map(({ source, state }) => [source, state]))
  } catch (error) {
    if (!isDenied(error)) throw error
    terminal.err(`The secrets could not be checked. ${explainFault(error)}`)
    return new Map()
  }
}

const TITLES = ['source', 'state', 'provider', 'secret', 'retain', 'window', 'guard', 'URL'] as const

const row = (view: SourceView, { style }: Terminal): readonly string[] => [
  view.name,
  style(view.state === 'live' ? 'green' : 'yellow', view.state),
  (view.provider ?? '-') + (view.unsigned ? ' (unsigned)' : ''),
  style(SECRET_STYLES[view.secret], view.secret),
  view.retain ?? '-',
  view.replayWindow ?? '-',
  view.guard ?? '-',
  view.url ?? '-',
]

const SECRET_STYLES = {
  present: 'green',
  rotating: 'cyan',
  awaited: 'yellow',
  missing: 'red',
  unusable: 'red',
  'not-needed': 'dim',
  stray: 'dim',
  unknown: 'dim',
} as const satisfies Record<SourceView['secret'], Style>
