import type { KeptView } from '../../operator/kept-view.ts'
import { printTable } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'

const TITLES = ['time (UTC)', 'after', 'status', 'outcome', 'source', 'try', 'bytes', 'event id', 'why', 'delivery']

/** Kept deliveries; `after` is the time since the delivery before it of the same event: its sender's retry schedule. */
export const printKept = (kept: readonly KeptView[], otherwise: string, terminal: Terminal): void => {
  const rows = kept.map(each => [
    terminal.interactive ? each.time.slice(0, 23).replace('T', ' ') : each.time,
    sinceBefore(each, kept),
    String(each.status),
    each.outcome,
    each.source,
    each.attempt === null ? '-' : String(each.attempt),
    String(each.size),
    each.eventId ?? '-',
    each.reason ?? '-',
    each.correlationId,
  ])
  printTable(terminal, TITLES, rows, otherwise)
}

/** The list is newest first. */
const sinceBefore = (one: KeptView, kept: readonly KeptView[]): string => {
  const before = kept.find(other => other.key < one.key && other.id !== null && other.id === one.id)
  return before ? `${Math.round((Date.parse(one.time) - Date.parse(before.time)) / 1000)} s` : '-'
}
