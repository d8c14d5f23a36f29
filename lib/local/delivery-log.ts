import { appendFileSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Then it starts anew, and the file before is kept once as `.1`. */
const LIMIT_BYTES = 10_000_000

export interface DeliveryLog {
  readonly file: string
  /** The lines of earlier runs are kept. */
  readonly keep: boolean
  readonly say: (line: string) => void
}

/** Where the functions' own log lines go on a desk: whole into a file, and in short to the person who watches. */
export const deliveryLog = ({ file, keep, say }: DeliveryLog): ((line: string) => void) => {
  mkdirSync(dirname(file), { recursive: true })
  if (!keep) writeFileSync(file, '')
  let size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  return line => {
    if (size + line.length > LIMIT_BYTES) {
      renameSync(file, `${file}.1`)
      size = 0
    }
    appendFileSync(file, line)
    size += line.length
    say(inShort(JSON.parse(line)))
  }
}

/** Of the canonical line, functions/middleware/canonical-log.ts. */
interface Line {
  readonly _aws: { readonly Timestamp: number }
  readonly Source: string
  readonly Reason?: string
  readonly Latency: number
  readonly outcome: string
  readonly status: number
  readonly eventId?: string
  readonly cause?: string
}

const inShort = (line: Line): string =>
  [
    new Date(line._aws.Timestamp).toISOString().slice(11, 23),
    String(line.status),
    line.outcome.padEnd(11),
    line.Source,
    line.eventId ?? line.Reason ?? '',
    `${line.Latency} ms`,
    line.cause ?? '',
  ]
    .filter(part => part !== '')
    .join('  ')
