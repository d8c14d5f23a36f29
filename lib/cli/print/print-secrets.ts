import { iso } from '../../../functions/domain/brands.ts'
import type { Source } from '../../../functions/domain/source.ts'
import type { Connection } from '../../connect/connection.ts'
import { usesOf } from '../../connect/counts-of.ts'
import { listSecrets, type SecretState, type SecretView } from '../../operator/list-secrets.ts'
import { printTable } from '../../terminal/table.ts'
import { jsonLines, type Style, type Terminal } from '../../terminal/terminal.ts'

export interface Asked {
  readonly connection: Connection
  readonly sources: ReadonlyMap<string, Source>
  readonly json: boolean
}

/** What is known of every source's secrets, and never a value. */
export const printSecrets = async ({ connection, sources, json }: Asked, terminal: Terminal): Promise<number> => {
  const { lists, changedAt } = await connection.secrets.read()
  const uses = await usesOf(connection, [...sources.keys()])
  const found = listSecrets(sources, lists, typeof uses === 'string' ? new Map() : uses, connection.now())
  if (typeof uses === 'string') terminal.err(uses)
  if (json) {
    const place = { changedAt: changedAt && iso(changedAt), place: connection.secrets.place }
    terminal.out(jsonLines({ secrets: found, ...place }))
    return 0
  }
  const rows = found.map(view => row(view, terminal))
  printTable(terminal, TITLES, rows)
  if (terminal.interactive) {
    const changed = changedAt === null ? '' : `, last changed ${iso(changedAt)}`
    terminal.out(terminal.style('dim', `In ${connection.secrets.place}${changed}.`))
  }
  return 0
}

const TITLES = ['source', 'provider', 'state', 'secrets', 'last use (UTC)', 'previous used (UTC)', 'notes'] as const

const row = (view: SecretView, { style, interactive }: Terminal): readonly string[] => {
  const time = (text: string | null): string =>
    text === null ? '-' : interactive ? text.slice(0, 16).replace('T', ' ') : text
  return [
    view.source,
    view.provider ?? '-',
    style(SECRET_STYLES[view.state], view.state),
    String(view.secrets),
    time(view.lastUsedAt),
    time(view.previousUsedAt),
    view.notes.join('; ') || '-',
  ]
}

export const SECRET_STYLES = {
  present: 'green',
  rotating: 'cyan',
  awaited: 'yellow',
  offered: 'yellow',
  missing: 'red',
  unusable: 'red',
  'not-needed': 'dim',
  stray: 'dim',
} as const satisfies Record<SecretState, Style>
