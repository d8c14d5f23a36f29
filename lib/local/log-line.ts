import type { Work } from '../../functions/consume/outcome.ts'
import type { Effect } from '../operator/effect.ts'
import type { Style, Terminal } from '../terminal/terminal.ts'

/** What every line of the functions has, functions/log/emf-line.ts. */
interface Line {
  readonly _aws: { readonly Timestamp: number }
  readonly Source: string
  /** Whose queue it was, unless it was the worker's. */
  readonly Destination?: string
}

/** functions/log/delivery-line.ts */
interface DeliveryLine extends Line {
  readonly Reason?: string
  readonly Latency: number
  readonly outcome: string
  readonly status: number
  readonly eventId?: string
  readonly cause?: string
}

/** functions/consume/work-line.ts */
interface WorkLine extends Line {
  readonly work: Work['work']
  readonly type?: string | null
  readonly eventId?: string
  /** Not of an event that is done, which has its id. */
  readonly messageId?: string
  readonly generation?: number
  /** @default 1 */
  readonly receiveCount?: number
  readonly attempts?: number
  readonly tries?: number
  readonly milliseconds: number
  readonly lastError?: string
  /** Where the handler threw. */
  readonly at?: string
  readonly ignoredBecause?: string
  readonly why?: string
  readonly cause?: string
  /** Added by note-effects.ts. */
  readonly wrote?: readonly Effect[]
}

/** functions/recover/recover-line.ts */
interface RecoveryLine extends Line {
  readonly recovery: true
  readonly Recovered: number
  readonly Waiting: number
  readonly Lost: number
  readonly Unreadable: number
  readonly unavailable: number
}

export type LogLine = DeliveryLine | WorkLine | RecoveryLine

/** A line of the functions for the person who watches: time, what, whose, which event, and why not. */
export const inShort = (line: LogLine, style: Terminal['style']): string =>
  [new Date(line._aws.Timestamp).toISOString().slice(11, 23), ...partsOf(line, style)]
    .filter(part => part !== '')
    .join('  ')

const partsOf = (line: LogLine, style: Terminal['style']): readonly string[] => {
  if ('recovery' in line) return recoveryParts(line, style)
  return 'work' in line ? workParts(line, style) : deliveryParts(line)
}

const deliveryParts = (line: DeliveryLine): readonly string[] => [
  String(line.status),
  line.outcome.padEnd(11),
  line.Source,
  inOneLine(line.eventId ?? line.Reason ?? ''),
  `${line.Latency} ms`,
  inOneLine(line.cause ?? ''),
]

/** As wide as the status and outcome of a delivery. */
const WHAT_WIDTH = '202  accepted   '.length

const workParts = (line: WorkLine, style: Terminal['style']): readonly string[] => {
  const { says, in: inStyle } = WORKS[line.work]
  return [
    style(inStyle, says.padEnd(WHAT_WIDTH)),
    line.Source,
    inOneLine(line.type ?? ''),
    inOneLine(line.eventId ?? line.messageId ?? ''),
    line.Destination ? `for ${line.Destination.toLowerCase()}` : '',
    line.generation ? `generation ${line.generation}` : '',
    attemptWords(line),
    `${line.milliseconds} ms`,
    inOneLine(line.lastError ?? line.ignoredBecause ?? line.why ?? line.cause ?? ''),
    inOneLine(line.at ?? ''),
    (line.wrote ?? []).map(({ table, key }) => inOneLine(`wrote ${table} ${JSON.stringify(key)}`)).join(', '),
  ]
}

/** Not every coming back of a message is an attempt. */
const attemptWords = ({ attempts, tries, receiveCount = 1 }: WorkLine): string => {
  if (attempts !== undefined) return `attempt ${attempts} of ${tries}`
  return receiveCount > 1 ? `received ${receiveCount} times` : ''
}

const WORKS = {
  done: { says: 'done', in: 'green' },
  ignored: { says: 'ignored', in: 'dim' },
  skipped: { says: 'skipped', in: 'dim' },
  failed: { says: 'failed', in: 'red' },
  'attempt-failed': { says: 'attempt failed', in: 'yellow' },
  busy: { says: 'busy', in: 'dim' },
  malformed: { says: 'malformed', in: 'red' },
  forged: { says: 'forged', in: 'red' },
  unavailable: { says: 'unavailable', in: 'red' },
} as const satisfies Record<Work['work'], { readonly says: string; readonly in: Style }>

const recoveryParts = (line: RecoveryLine, style: Terminal['style']): readonly string[] => [
  style('cyan', 'recovery'.padEnd(WHAT_WIDTH)),
  [
    line.Recovered > 0 && `${line.Recovered} recovered`,
    line.Waiting > 0 && `${line.Waiting} without a body, waiting for the sender's next try`,
    line.Lost > 0 && `${line.Lost} lost`,
    line.Unreadable > 0 && `${line.Unreadable} with a body that cannot be read`,
    line.unavailable > 0 && `${line.unavailable} left to the next run`,
  ]
    .filter(Boolean)
    .join(', '),
]

/** Ids and errors are what senders and handlers wrote; the terminal shows the rest of what they may hold. */
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ')
