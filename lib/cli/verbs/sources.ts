import type { Source } from '../../../functions/domain/source.ts'
import { inWords } from '../../catalogue/span-words.ts'
import { connectWithSources } from '../../connect/connect.ts'
import type { Connection } from '../../connect/connection.ts'
import { isRefusal } from '../../connect/refusal.ts'
import { explainFault, isDenied } from '../../operator/explain-fault.ts'
import { listSecrets } from '../../operator/list-secrets.ts'
import { printTable } from '../../terminal/table.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { SECRET_STYLES } from '../print/print-secrets.ts'
import { type SourceView, sourceView, strangeSource } from '../print/source-view.ts'
import { SOURCE_FILE_FLAG, TARGET_FLAGS } from '../target-flags.ts'
import { verb } from '../verb.ts'

export const sources = verb({
  summary: 'List the sources: the URL of each, how it is set up, and whether its secret is there.',
  operands: [],
  flags: {
    json: { help: 'Print { "sources": [...] }.' },
    ...SOURCE_FILE_FLAG,
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
    const connected = await connectWithSources(flags)
    if (isRefusal(connected)) return connected
    const { connection, sources: configured } = connected
    const views = viewsOf(connection, configured, await secretStates(connection, configured, terminal))
    if (flags.json) terminal.out(jsonLines({ sources: views }))
    else {
      const rows = views.map(view => row(view, terminal))
      printTable(terminal, TITLES, rows)
      // For people: in a pipe, a line is a source.
      if (terminal.interactive) for (const line of notesOf(views)) terminal.out(line)
    }
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

/** Sources of which a captured delivery could come back as a new event, together if the same line stops it. */
const notesOf = (views: readonly SourceView[]): readonly string[] => {
  const notes = Map.groupBy(views, ({ capturedId }) => {
    if (capturedId === null) return undefined
    return capturedId.stop === null ? `${capturedId.says}.` : `${capturedId.says}. Add: ${capturedId.stop}`
  })
  return [...notes].flatMap(([note, of]) =>
    note === undefined ? [] : ['', `${of.map(({ name }) => name).join(', ')}: ${note}`],
  )
}

const TITLES = ['source', 'state', 'provider', 'secret', 'retain', 'window', 'guard', 'URL'] as const

const row = (view: SourceView, { style, interactive }: Terminal): readonly string[] => [
  view.name,
  style(view.state === 'live' ? 'green' : 'yellow', view.state),
  (view.provider ?? '-') + (view.unsigned ? ' (unsigned)' : ''),
  style(view.secret === 'unknown' ? 'dim' : SECRET_STYLES[view.secret], view.secret),
  span(view.retain, interactive),
  span(view.replayWindow, interactive),
  view.guard ?? '-',
  view.url ?? '-',
]

/** A program reads the text of sources.ts. */
const span = (text: string | null, interactive: boolean): string =>
  text !== null && interactive ? inWords(text) : (text ?? '-')
