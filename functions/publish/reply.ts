import { RETRY_AFTER_SECONDS } from '../contract/limits.ts'
import { problemType } from '../contract/problems.ts'
import type { Seconds } from '../domain/brands.ts'
import type { Reply } from '../domain/http.ts'
import type { Issue, Published, PublishedBatch, PublishOutcome, PublishRefusal } from './publication.ts'

/** What the producer is told. The answer to a key that is known is made anew from the record: the same status, the same body. */
export const reply = (outcome: PublishOutcome, correlationId: string): Reply =>
  outcome.outcome === 'batch' ? replyToBatch(outcome, correlationId) : replyToOne(outcome, correlationId)

const replyToOne = (outcome: Published, correlationId: string): Reply => {
  switch (outcome.outcome) {
    case 'accepted':
    case 'duplicate':
    case 'ignored':
      return {
        status: statusOf(outcome),
        headers: {
          'content-type': 'application/json',
          'x-correlation-id': correlationId,
          ...(outcome.outcome === 'duplicate' && { 'idempotent-replayed': 'true' }),
          'idempotency-key-expires': httpDate(outcome.expiresAt),
        },
        body: JSON.stringify({ status: isIgnored(outcome) ? 'ignored' : 'accepted', id: outcome.id }),
      }
    case 'in-flight':
    case 'rejected':
    case 'unavailable': {
      const { status, type, body } = problemOf(outcome)
      return {
        status,
        headers: {
          'content-type': 'application/problem+json',
          'x-correlation-id': correlationId,
          link: `<${STANDARD}>; rel="describedby"`,
          ...EXTRA_HEADERS[type],
        },
        body: JSON.stringify({ ...body, correlationId }),
      }
    }
  }
}

/** Always 200: what became of each event stands beside its key. */
const replyToBatch = ({ results }: PublishedBatch, correlationId: string): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'x-correlation-id': correlationId },
  body: JSON.stringify({ results: results.map(({ key, published }) => ({ key, ...resultOf(published) })) }),
})

const resultOf = (outcome: Published): object => {
  switch (outcome.outcome) {
    case 'accepted':
    case 'duplicate':
    case 'ignored':
      return {
        status: statusOf(outcome),
        id: outcome.id,
        ...(outcome.outcome === 'duplicate' && { replayed: true }),
        expires: httpDate(outcome.expiresAt),
      }
    case 'in-flight':
    case 'rejected':
    case 'unavailable': {
      const { status, body } = problemOf(outcome)
      return { status, problem: body }
    }
  }
}

type Taken = Extract<Published, { outcome: 'accepted' | 'duplicate' | 'ignored' }>

/** No route wants it: it is known, and nobody will work on it. */
const isIgnored = (outcome: Taken): boolean =>
  outcome.outcome === 'ignored' || (outcome.outcome === 'duplicate' && outcome.ignored === true)

const statusOf = (outcome: Taken): number => (isIgnored(outcome) ? 200 : 202)

/** The closed list; docs/problems.md explains each. */
export const PROBLEMS = {
  'caller-unknown': { status: 403, title: 'The request carries no credentials that IAM knows' },
  'caller-refused': { status: 403, title: 'This caller may not publish to this source' },
  method: { status: 405, title: 'Events are published with POST' },
  'too-large': { status: 413, title: 'The body is larger than 4 MiB' },
  encoding: { status: 415, title: 'Encoded bodies are not accepted: send it without Content-Encoding' },
  'unknown-source': { status: 404, title: 'There is no such source to publish to' },
  'key-missing': { status: 400, title: 'An event needs an Idempotency-Key' },
  'key-malformed': { status: 400, title: 'The Idempotency-Key is not usable' },
  'key-reused': { status: 422, title: 'This Idempotency-Key was used for another event' },
  'body-not-json': { status: 400, title: 'The body is not JSON' },
  schema: { status: 400, title: 'The event does not match the schema of its source' },
  'batch-malformed': { status: 400, title: 'The batch is not as it should be' },
  processing: { status: 409, title: 'A request with this Idempotency-Key is being processed' },
  unavailable: { status: 503, title: 'The event cannot be taken now; send it again with the same Idempotency-Key' },
} as const satisfies Record<PublishRefusal | 'processing' | 'unavailable', { status: number; title: string }>

type ProblemType = keyof typeof PROBLEMS

interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string | undefined
  readonly issues?: readonly Issue[] | undefined
  readonly documentation: string
}

type Failed = Extract<Published, { outcome: 'in-flight' | 'rejected' | 'unavailable' }>

const problemOf = (
  outcome: Failed,
): { readonly status: number; readonly type: ProblemType; readonly body: Problem } => {
  const type = outcome.outcome === 'rejected' ? outcome.reason : TYPE_OF[outcome.outcome]
  const { status, title } = PROBLEMS[type]
  const { detail, issues } = outcome.outcome === 'rejected' ? outcome : {}
  return {
    status,
    type,
    body: { type: problemType(type), title, status, detail, issues, documentation: DOCUMENTATION },
  }
}

const TYPE_OF = { 'in-flight': 'processing', unavailable: 'unavailable' } as const

const STANDARD = 'https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/'
/** In this package. */
const DOCUMENTATION = 'docs/publish.md#answers'

/** A request that is running is done within a second; what is out of order takes longer. */
const EXTRA_HEADERS: Partial<Record<ProblemType, Readonly<Record<string, string>>>> = {
  method: { allow: 'POST' },
  processing: { 'retry-after': '1' },
  unavailable: { 'retry-after': String(RETRY_AFTER_SECONDS) },
}

const httpDate = (instant: Seconds): string => new Date(instant * 1000).toUTCString()
