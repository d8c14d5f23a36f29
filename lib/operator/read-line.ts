import { parseJson } from '../../functions/domain/parse-json.ts'
import type { Effect } from './effect.ts'
import type { LineQuery, LineSource } from './line-source.ts'

/** functions/log/delivery-line.ts */
export interface DeliveryLine {
  readonly kind: 'delivery'
  /** When it was answered. */
  readonly at: number
  readonly source: string
  readonly outcome: string
  readonly reason: string | null
  readonly status: number
  readonly milliseconds: number
  readonly attempt: number | null
  readonly ids: readonly string[]
  readonly eventId: string | null
  readonly correlationId: string
  readonly bodyChanged: boolean
  readonly reopened: boolean
  readonly tookOver: boolean
  /** How many events of a delivery had which outcome; 1 and 0 if it has only one. */
  readonly counts: Readonly<Record<'accepted' | 'duplicate' | 'ignored' | 'inFlight' | 'unavailable', number>>
}

/** functions/consume/work-line.ts */
export interface WorkLine {
  readonly kind: 'work'
  /** When it ended. */
  readonly at: number
  readonly source: string
  readonly work: string
  readonly id: string | null
  readonly generation: number | null
  /** The event that it is a copy of, and for whom. */
  readonly copyOf: string | null
  readonly destination: string
  readonly receiveCount: number
  /** When its message was put on the queue; null in lines of version 0.1. */
  readonly sentAt: number | null
  /** Calls of the handler so far, if one failed. */
  readonly attempts: number | null
  readonly milliseconds: number
  /** The handler's error, or why nothing was done. */
  readonly says: string
  /** What its `commit` wrote, on a laptop. */
  readonly wrote: readonly Effect[]
}

export type ReadLine = DeliveryLine | WorkLine

/** Every line in the stretch that is one of ours; others, such as what a handler prints, are passed over. */
export async function* readLines(source: LineSource, query: LineQuery): AsyncGenerator<ReadLine> {
  for await (const text of source.lines(query)) {
    if (query.contains !== undefined && !text.includes(query.contains)) continue
    const line = readLine(text)
    if (line && line.at >= query.from && line.at <= query.until) yield line
  }
}

export const readLine = (text: string): ReadLine | undefined => {
  // A worker may print anything between our lines.
  const fields: Fields = text.startsWith('{') ? parseJson(text) : undefined
  const at = fields?._aws?.Timestamp
  if (fields === undefined || typeof at !== 'number') return undefined
  if (typeof fields.outcome === 'string') return deliveryLine(fields, at)
  return typeof fields.work === 'string' ? workLine(fields, at) : undefined
}

// biome-ignore lint/suspicious/noExplicitAny: a line of JSON, whose fields are read one by one
type Fields = any

const deliveryLine = (fields: Fields, at: number): DeliveryLine => ({
  kind: 'delivery',
  at,
  source: String(fields.Source),
  outcome: fields.outcome,
  reason: fields.Reason ?? null,
  status: Number(fields.status),
  milliseconds: Number(fields.Latency ?? 0),
  attempt: fields.attempt ?? null,
  ids: fields.ids ?? (fields.id === undefined ? [] : [fields.id]),
  eventId: fields.eventId ?? null,
  correlationId: String(fields.correlationId),
  bodyChanged: fields.bodyChanged === true,
  reopened: fields.reopened === true,
  tookOver: fields.tookOver === true,
  counts: {
    accepted: fields.Accepted ?? 0,
    duplicate: fields.Duplicate ?? 0,
    ignored: fields.Ignored ?? 0,
    inFlight: fields.InFlight ?? 0,
    unavailable: fields.Unavailable ?? 0,
  },
})

const workLine = (fields: Fields, at: number): WorkLine => ({
  kind: 'work',
  at,
  source: String(fields.Source),
  work: fields.work,
  id: fields.id ?? null,
  // Those of the first generation do not say so; nor do messages that could not be read, which have no id either.
  generation: fields.generation ?? (fields.id === undefined ? null : 0),
  copyOf: fields.copyOf ?? null,
  destination: fields.Destination ?? 'worker',
  receiveCount: Number(fields.receiveCount ?? 1),
  sentAt: fields.sentAt ?? sentBefore(fields, at),
  attempts: fields.attempts ?? null,
  milliseconds: Number(fields.milliseconds ?? 0),
  says: String(fields.lastError ?? fields.ignoredBecause ?? fields.why ?? fields.cause ?? ''),
  wrote: fields.wrote ?? [],
})

/** Lines of earlier versions have the instant itself. */
const sentBefore = ({ waited, milliseconds }: Fields, at: number): number | null =>
  waited === undefined ? null : at - milliseconds - waited
