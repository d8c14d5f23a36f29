import type { Heard } from '../../listen/listening.ts'
import { eventView } from '../../operator/event-view.ts'
import { cell } from '../../terminal/table.ts'
import type { Style, Terminal } from '../../terminal/terminal.ts'

/** A line for each event that `listen` settled, and what it comes to. */
export const heardPrinter = (
  terminal: Terminal,
  json: boolean,
): { readonly print: (heard: Heard) => void; readonly sum: () => void } => {
  const unsent: string[] = []
  let sent = 0
  return {
    print(heard) {
      if (heard.answer === null) unsent.push(heard.record.eventId)
      else sent += 1
      terminal.out(json ? jsonOf(heard) : lineOf(heard, terminal))
    },
    sum() {
      const named = unsent.slice(0, MOST_NAMED).join(', ')
      const more = unsent.length > MOST_NAMED ? ' and more' : ''
      const without = unsent.length === 0 ? '' : ` Not sent, without a kept body: ${unsent.length} (${named}${more}).`
      terminal.err(`Sent: ${sent}.${without}`)
    },
  }
}

const MOST_NAMED = 20

const jsonOf = ({ record, answer, problem }: Heard): string => JSON.stringify({ ...eventView(record), answer, problem })

const lineOf = ({ record, answer, problem }: Heard, terminal: Terminal): string => {
  const { source, type, eventId } = record
  const { claimedAt } = record
  const time = new Date(claimedAt).toISOString()
  const status = answer === null ? '-' : String(answer.status ?? 'none')
  const welcome = answer?.status != null && answer.status < 300
  const why = [problem, welcome ? null : answer?.text].filter(Boolean).join('; ')
  const row = [
    terminal.interactive ? time.slice(0, 19).replace('T', ' ') : time,
    terminal.style(styleOf(answer), status) + ' '.repeat(Math.max(0, terminal.interactive ? 4 - status.length : 0)),
    terminal.interactive ? source.padEnd(10) : source,
    type ?? '-',
    eventId,
    answer === null ? '-' : `${answer.durationMs} ms`,
    why,
  ].map(cell)
  return row.join(terminal.interactive ? '  ' : '\t').trimEnd()
}

const styleOf = (answer: Heard['answer']): Style => {
  if (answer === null) return 'yellow'
  return answer.status !== null && answer.status < 300 ? 'green' : 'red'
}
