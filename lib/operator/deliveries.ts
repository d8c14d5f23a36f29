import { iso, type Millis, millis } from '../../functions/domain/brands.ts'
import type { LineSource } from './line-source.ts'
import { type DeliveryLine, readLines } from './read-line.ts'

export interface DeliveryQuery {
  readonly source?: string | undefined
  /** The sender's own id. */
  readonly eventId?: string | undefined
  /** The fingerprint, or at least its first twelve characters. */
  readonly id?: string | undefined
  readonly from: Millis
  /** @default now */
  readonly until?: Millis | undefined
  readonly limit: number
}

export type DeliveryView = Readonly<ReturnType<typeof deliveryView>>

/** Newest first. A line is written when a delivery is answered, so one which never was is not among them. */
export const deliveries = async (
  lines: LineSource,
  query: DeliveryQuery & { readonly until: Millis },
): Promise<DeliveryView[]> => {
  const { from, until, limit, id, eventId } = query
  const newest: DeliveryLine[] = []
  for await (const line of readLines(lines, { from, until, contains: id ?? (eventId && inJson(eventId)) })) {
    if (line.kind === 'delivery' && isMeant(line, query)) newest.push(line)
    if (newest.length > 2 * limit) newest.splice(0, newest.length - limit)
  }
  return newest
    .reverse()
    .sort((left, right) => right.at - left.at)
    .slice(0, limit)
    .map(deliveryView)
}

const isMeant = (line: DeliveryLine, { source, eventId, id }: DeliveryQuery): boolean =>
  (source === undefined || line.source === source) &&
  (eventId === undefined || line.eventId === eventId) &&
  (id === undefined || line.ids.some(each => each.startsWith(id)))

/** As the line spells it. */
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)

const deliveryView = (line: DeliveryLine) => ({
  time: iso(millis(line.at - line.milliseconds)),
  source: line.source,
  /** accepted, duplicate, in-flight, rejected, unavailable, handshake, batch, drill */
  outcome: line.outcome,
  /** Why it was rejected or could not be taken. */
  reason: line.reason,
  status: line.status,
  durationMs: line.milliseconds,
  /** As the sender counts, if it says so. */
  attempt: line.attempt,
  /** A duplicate whose body was not that of the event. */
  bodyChanged: line.bodyChanged,
  id: line.ids[0] ?? null,
  eventId: line.eventId,
  correlationId: line.correlationId,
})
