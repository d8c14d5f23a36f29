import type { Status } from '../../../functions/contract/status.ts'
import type { EventView } from '../../operator/event-view.ts'
import type { Style, Terminal } from '../../terminal/terminal.ts'

export const EVENT_TITLES = ['updated (UTC)', 'status', 'source', 'type', 'event id', 'id'] as const

/** An event in a table or a line of its own. */
export const eventRow = (event: EventView, terminal: Terminal): readonly string[] => [
  terminal.interactive ? event.updatedAt.slice(0, 19).replace('T', ' ') : event.updatedAt,
  terminal.style(STATUS_STYLES[event.status], event.status),
  event.source,
  event.type ?? '-',
  event.eventId,
  // As many as `show` takes, and nothing behind them that a double click would copy.
  terminal.interactive ? event.id.slice(0, 12) : event.id,
]

const STATUS_STYLES = {
  claimed: 'yellow',
  queued: 'cyan',
  working: 'cyan',
  done: 'green',
  failed: 'red',
  ignored: 'dim',
} as const satisfies Record<Status, Style>
