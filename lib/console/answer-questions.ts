import { STATUSES } from '../../functions/contract/status.ts'
import { iso, millis } from '../../functions/domain/brands.ts'
import { isCursor } from '../operator/list.ts'
import { findEvents } from './find-events.ts'
import { isProblem, problem } from './problem.ts'
import type { Answering } from './question.ts'
import { readCount, readInstant } from './request.ts'
import { wantedOf } from './wanted.ts'

const HOUR_MS = 3_600_000
/** As far back as an event is looked for unless a caller says otherwise. */
const MONTH_MS = 30 * 24 * HOUR_MS

/** Who and where, and the sources with their URLs. */
export const answerSources: Answering = async ({ world: { operator, place } }) => ({
  json: {
    place: place.name,
    actor: operator.actor,
    now: iso(operator.now()),
    curl: place.curl?.() ?? null,
    destinations: place.destinations.map(({ name }) => name),
    sources: operator.sources.map(name => ({ name, url: place.urlOf(name) ?? null })),
  },
})

export const answerEvents: Answering = async ({ world, query }) => {
  const now = world.operator.now()
  const limit = readCount(query.get('limit'), 'limit', { max: 500, otherwise: 50 })
  if (isProblem(limit)) return limit
  const from = readInstant(query.get('from'), 'from', now - MONTH_MS)
  if (isProblem(from)) return from
  const after = query.get('after') || null
  if (after !== null && !isCursor(after)) return problem('input', `after=${after} is not the "next" of a page.`)
  const wanted = wantedOf(query)
  if (wanted.status !== '' && !STATUSES.some(status => status === wanted.status)) {
    return problem('input', `status=${wanted.status} is not a status: expected ${STATUSES.join(', ')}.`)
  }
  return { json: await findEvents(world.events, { ...wanted, limit, now, from, after }) }
}

export const answerEvent: Answering = async ({ world: { operator }, named: { id = '' }, query }) => {
  const from = millis(operator.now() - MONTH_MS)
  const source = query.get('source') || undefined
  const detail = await operator.show({ id, from, source })
  if (detail === undefined) {
    return problem('not-found', `There is no event with the id ${id}. It may never have come, or have expired.`)
  }
  const seen = { id: detail.id, eventId: detail.eventId, source: detail.source }
  const deliveries = await operator.deliveries({ ...seen, from: millis(Date.parse(detail.firstSeenAt)), limit: 100 })
  return { json: { ...detail, deliveries } }
}

/** As many bars as a card has room for. */
const BUCKETS = 48

export const answerStats: Answering = async ({ world: { operator }, query }) => {
  const hours = readCount(query.get('hours'), 'hours', { max: 24 * 14, otherwise: 24 })
  if (isProblem(hours)) return hours
  const until = operator.now()
  const span = hours * HOUR_MS
  const source = query.get('source') || undefined
  return { json: await operator.stats({ from: millis(until - span), until, source, bucketMs: span / BUCKETS }) }
}

export const answerDeadLetters: Answering = async ({ world: { operator }, query }) => {
  const limit = readCount(query.get('limit'), 'limit', { max: 500, otherwise: 50 })
  if (isProblem(limit)) return limit
  const from = readInstant(query.get('from'), 'from', operator.now() - MONTH_MS)
  if (isProblem(from)) return from
  const { source, type } = wantedOf(query)
  const after = query.get('after') || undefined
  return {
    json: await operator.deadLetters({ limit, from, after, source: source || undefined, type: type || undefined }),
  }
}
