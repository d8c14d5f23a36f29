import type { KeptPage } from '../../operator/every-kept.ts'
import { sinceBefore } from '../../operator/since-before.ts'
import { printTable } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'

const TITLES = ['time (UTC)', 'after', 'status', 'outcome', 'source', 'try', 'bytes', 'event id', 'why', 'delivery']

/** Kept deliveries; `after` is the time since the delivery before it of the same event: its sender's retry schedule. */
export const printKept = ({ deliveries: kept, more }: KeptPage, otherwise: string, terminal: Terminal): void => {
  const rows = kept.map(each => [
    terminal.interactive ? each.time.slice(0, 23).replace('T', ' ') : each.time,
    seconds(sinceBefore(each, kept)),
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
  if (more) terminal.err(`These are the newest ${kept.length}: older ones are kept, too.`)
}

const seconds = (millis: number | null): string => (millis === null ? '-' : `${Math.round(millis / 1000)} s`)
