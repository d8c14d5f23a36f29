import { RETRY_AFTER_SECONDS } from '../contract/limits.ts'
import { problemType } from '../contract/problems.ts'
import type { Seconds } from '../domain/brands.ts'
import type { HttpAnswer } from '../domain/http.ts'
import type { Rules } from './rules.ts'

export const EXPIRES_HEADER = 'idempotency-key-expires'
export const REPLAYED_HEADER = 'idempotent-replayed'

/** Until when a key is remembered, as HTTP writes dates. */
export const expiresHeader = (expiresAt: Seconds): Readonly<Record<string, string>> => ({
  [EXPIRES_HEADER]: new Date(expiresAt * 1000).toUTCString(),
})

export const replayed = (answer: HttpAnswer, expiresAt: Seconds): HttpAnswer => ({
  ...answer,
  headers: { ...answer.headers, [REPLAYED_HEADER]: 'true', ...expiresHeader(expiresAt) },
})

/** The closed list; docs/problems.md explains each. */
export const PROBLEMS = {
  'key-missing': { status: 400, title: 'This operation needs an Idempotency-Key' },
  'key-malformed': { status: 400, title: 'The Idempotency-Key is not usable' },
  'caller-unknown': { status: 403, title: 'A key belongs to a caller, and no authorizer has said who that is' },
  running: { status: 409, title: 'A request with this Idempotency-Key is being processed' },
  'key-reused': { status: 422, title: 'This Idempotency-Key was used for another request' },
  'answer-gone': { status: 410, title: 'The request was carried out, but its answer is kept no longer' },
  unavailable: { status: 503, title: 'The request cannot be taken now; send it again with the same Idempotency-Key' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemType = keyof typeof PROBLEMS

export const problem = (
  type: ProblemType,
  { documentation }: Pick<Rules, 'documentation'>,
  { detail, retryAfter }: { readonly detail?: string; readonly retryAfter?: number } = {},
): HttpAnswer => {
  const { status, title } = PROBLEMS[type]
  const seconds = retryAfter ?? (type === 'unavailable' ? RETRY_AFTER_SECONDS : undefined)
  return {
    status,
    headers: {
      'content-type': 'application/problem+json',
      link: `<${documentation}>; rel="describedby"`,
      ...(seconds !== undefined && { 'retry-after': String(seconds) }),
    },
    body: JSON.stringify({
      type: problemType(type),
      title,
      status,
      ...(detail !== undefined && { detail }),
      documentation,
    }),
    base64: false,
  }
}
