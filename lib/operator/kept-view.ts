import { iso, toMillis } from '../../functions/domain/brands.ts'
import type { KeptDelivery } from '../../functions/domain/kept-delivery.ts'
import type { Source } from '../../functions/domain/source.ts'
import type { KeptDetail, KeptView } from './operator.ts'
import { redactHeader, redactUrl } from './redact.ts'
import { textOf } from './show.ts'

export const keptView = (kept: KeptDelivery): KeptView => ({
  source: kept.source,
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

export const keptDetail = (kept: KeptDelivery, source: Source | undefined): KeptDetail => {
  const { body, bodyEncoding } = textOf(kept.body)
  return {
    ...keptView(kept),
    method: kept.method,
    url: redactUrl(kept.url),
    headers: Object.fromEntries(
      Object.entries(kept.headers).map(([name, values]) => [name, redactHeader(source, name, values.join(', '))]),
    ),
    body: body ?? '',
    bodyEncoding: bodyEncoding ?? 'utf8',
  }
}
