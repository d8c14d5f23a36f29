import type { IncomingMessage } from 'node:http'
import type { Problem } from './problem.ts'
import type { ConsoleWorld } from './world.ts'

export interface Question {
  readonly world: ConsoleWorld
  readonly request: IncomingMessage
  readonly query: URLSearchParams
  /** What stood in the place of each `{name}`, decoded. */
  readonly named: Readonly<Record<string, string>>
  /** Aborted when the caller has gone or the console closes. */
  readonly gone: AbortSignal
}

export type Answer = { readonly json: unknown; readonly status?: number } | { readonly lines: AsyncIterable<unknown> }

export type Answering = (question: Question) => Promise<Answer | Problem>
