import { RETRY_AFTER_SECONDS } from '../contract/limits.ts'
import { problemType } from '../contract/problems.ts'
import type { Reply } from '../domain/http.ts'
import type { Ending, Outcome, Rejection } from '../domain/outcome.ts'

/** What the sender is told. Problems are RFC 9457, and name nothing that a forger could learn from. */
export const reply = (outcome: Outcome, correlationId: string): Reply => {
  switch (outcome.outcome) {
    case 'accepted':
    case 'duplicate':
    case 'ignored':
      return {
        status: outcome.outcome === 'accepted' ? 202 : 200,
        headers: { 'content-type': 'application/json', 'x-correlation-id': correlationId },
        body: JSON.stringify({ status: outcome.outcome, id: outcome.id }),
      }
    case 'batch':
      return replyToBatch(outcome, correlationId)
    case 'handshake':
      return {
        status: outcome.reply.status,
        headers: {
          ...outcome.reply.headers,
          'content-type': outcome.reply.contentType,
          'x-content-type-options': 'nosniff',
          'x-correlation-id': correlationId,
        },
        body: outcome.reply.body,
      }
    case 'in-flight':
      return problem('processing', correlationId, outcome.status, { state: 'processing', id: outcome.id })
    case 'drill':
      return problem('drill', correlationId, outcome.status)
    case 'rejected':
      return problem(PROBLEM_OF[outcome.reason], correlationId)
    case 'unavailable':
      return problem('unavailable', correlationId)
  }
}

/** 2xx only when every event is accepted or known: otherwise the sender comes again, and what was accepted is a duplicate then. */
const replyToBatch = (batch: Ending<'batch'>, correlationId: string): Reply => {
  const { accepted, duplicate, ignored, inFlight, unavailable, ids } = batch
  const counts = { accepted, duplicate, ignored, inFlight, unavailable }
  if (inFlight + unavailable > 0) return problem('unavailable', correlationId, undefined, counts)
  return {
    status: accepted > 0 ? 202 : 200,
    headers: { 'content-type': 'application/json', 'x-correlation-id': correlationId },
    body: JSON.stringify({
      status: WORDS.find(word => (counts[word] ?? 0) > 0) ?? 'empty',
      ...counts,
      ...(ids.length === 1 ? { id: ids[0] } : { ids }),
    }),
  }
}

const WORDS = ['accepted', 'duplicate', 'ignored'] as const

/** The closed list; docs/problems.md explains each. */
export const PROBLEMS = {
  signature: { status: 401, title: 'The signature is missing, malformed or wrong' },
  timestamp: { status: 401, title: 'The signed timestamp is missing, malformed, too old or in the future' },
  'unknown-source': { status: 404, title: 'There is no such source' },
  identity: { status: 400, title: 'The body or headers do not hold what identifies the event' },
  method: { status: 405, title: 'Deliveries are made with POST' },
  'too-large': { status: 413, title: 'The body is larger than 4 MiB' },
  encoding: { status: 415, title: 'Encoded bodies are not accepted: send it without Content-Encoding' },
  processing: { status: 409, title: 'Another delivery of this event is being processed' },
  drill: { status: 500, title: 'This answer is a drill: send it again' },
  unavailable: { status: 503, title: 'The delivery cannot be taken now; send it again' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemType = keyof typeof PROBLEMS

const PROBLEM_OF = {
  method: 'method',
  'too-large': 'too-large',
  encoding: 'encoding',
  'unknown-source': 'unknown-source',
  'header-missing': 'signature',
  'header-repeated': 'signature',
  'header-malformed': 'signature',
  'signature-mismatch': 'signature',
  'timestamp-missing': 'timestamp',
  'timestamp-malformed': 'timestamp',
  'timestamp-stale': 'timestamp',
  'timestamp-future': 'timestamp',
  'proof-reused': 'signature',
  'body-empty': 'identity',
  'body-not-json': 'identity',
  'id-missing': 'identity',
  'id-malformed': 'identity',
} as const satisfies Record<Rejection, ProblemType>

const EXTRA_HEADERS: Partial<Record<ProblemType, Readonly<Record<string, string>>>> = {
  method: { allow: 'POST' },
  processing: { 'retry-after': String(RETRY_AFTER_SECONDS) },
  unavailable: { 'retry-after': String(RETRY_AFTER_SECONDS) },
}

const problem = (
  type: ProblemType,
  correlationId: string,
  status: number = PROBLEMS[type].status,
  extra: Readonly<Record<string, unknown>> = {},
): Reply => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'x-correlation-id': correlationId, ...EXTRA_HEADERS[type] },
  body: JSON.stringify({ type: problemType(type), title: PROBLEMS[type].title, status, correlationId, ...extra }),
})
