import type { Millis } from '../../functions/domain/brands.ts'
import { iso, toMillis } from '../../functions/domain/brands.ts'
import type { KeptDelivery } from '../../functions/domain/kept-delivery.ts'
import type { Source } from '../../functions/domain/source.ts'
import { redactHeader, redactUrl } from './redact.ts'
import { textOf } from './show.ts'

export interface KeptQuery {
  readonly source: string
  readonly from: Millis
  readonly limit: number
}

/** A delivery that was kept, in quarantine or by a capture. */
export type KeptView = Readonly<ReturnType<typeof keptView>>

export type KeptDetail = Readonly<ReturnType<typeof keptDetail>>

export const keptView = (kept: KeptDelivery) => ({
  source: kept.source,
  /** Names it within its source, and sorts by time. */
  key: kept.key,
  time: iso(kept.at),
  status: kept.status,
  outcome: kept.outcome,
  reason: kept.reason,
  id: kept.id,
  eventId: kept.eventId,
  attempt: kept.attempt,
  size: kept.body.length,
  correlationId: kept.correlationId,
  expiresAt: iso(toMillis(kept.expiresAt)),
})

export const keptDetail = (kept: KeptDelivery, source: Source | undefined) => {
  const { body, bodyEncoding } = textOf(kept.body)
  return {
    ...keptView(kept),
    method: kept.method,
    url: redactUrl(kept.url),
    /** Signatures and credentials are shown as `[REDACTED]`. */
    headers: Object.fromEntries(
      Object.entries(kept.headers).map(([name, values]) => [name, redactHeader(source, name, values.join(', '))]),
    ),
    body: body ?? '',
    bodyEncoding: bodyEncoding ?? 'utf8',
  }
}
