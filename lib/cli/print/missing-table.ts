import type { MissingEvent } from '../../../functions/operate/reconcile-tally.ts'
import { printTable } from '../../terminal/table.ts'
import type { Terminal } from '../../terminal/terminal.ts'

/** How many are missing, by hour and type, oldest first. */
export const printMissing = (missing: readonly MissingEvent[], terminal: Terminal): void => {
  if (missing.length === 0) return
  const groups = new Map<string, readonly [hour: string, type: string, count: number]>()
  for (const { createdAt, type } of missing) {
    const hour = createdAt === null ? '-' : `${createdAt.slice(0, 13).replace('T', ' ')}:00`
    const [, , count] = groups.get(`${hour} ${type}`) ?? [hour, '', 0]
    groups.set(`${hour} ${type}`, [hour, type ?? '-', count + 1])
  }
  const rows = [...groups.entries()].sort(([left], [right]) => (left < right ? -1 : 1))
  printTable(
    terminal,
    ['hour (UTC)', 'type', 'missing'],
    rows.map(([, [hour, type, count]]) => [hour, type, String(count)]),
  )
}
