import { problemType } from '../../functions/contract/problems.ts'

/** The closed list; docs/problems.md explains each, and `detail` says to a person what to do. */
export const PROBLEMS = {
  host: { status: 403, title: 'The console answers only to 127.0.0.1 and localhost' },
  origin: { status: 403, title: 'The console answers only to its own page' },
  token: { status: 401, title: 'The token is missing or wrong' },
  input: { status: 400, title: 'The request cannot be understood' },
  'not-found': { status: 404, title: 'There is nothing at this address' },
  method: { status: 405, title: 'This address does not take that method' },
  refused: { status: 409, title: 'It cannot be done now' },
  'too-large': { status: 413, title: 'The request is too large' },
  media: { status: 415, title: 'Expected application/json' },
  unavailable: { status: 503, title: 'The store did not answer' },
  unexpected: { status: 500, title: 'Something went wrong' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemType = keyof typeof PROBLEMS

/** RFC 9457, as it goes over the wire. */
export interface Problem {
  /** A URI that ends with its word. */
  readonly type: string
  readonly status: number
  readonly title: string
  readonly detail: string
}

export const problem = (type: ProblemType, detail: string): Problem => ({
  type: problemType(type),
  ...PROBLEMS[type],
  detail,
})

export const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'type' in value && 'status' in value && 'detail' in value
