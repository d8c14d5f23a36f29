import type { IncomingMessage } from 'node:http'
import { answerAccept, answerKept, answerQuarantine, answerReverify } from './answer-quarantine.ts'
import { answerDeadLetters, answerEvent, answerEvents, answerSources, answerStats } from './answer-questions.ts'
import { answerJob, answerPlan, answerRedrive, answerReplay, answerReplayMany } from './answer-replay.ts'
import { answerStream } from './answer-stream.ts'
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

/** The whole API. */
export const ROUTES: Readonly<Record<string, Readonly<Partial<Record<'GET' | 'POST', Answering>>>>> = {
  '/api/sources': { GET: answerSources },
  '/api/events': { GET: answerEvents },
  '/api/events/{id}': { GET: answerEvent },
  '/api/events/{id}/replay': { POST: answerReplay },
  '/api/stream': { GET: answerStream },
  '/api/stats': { GET: answerStats },
  '/api/dead-letters': { GET: answerDeadLetters },
  '/api/redrive': { POST: answerRedrive },
  '/api/replays/plan': { POST: answerPlan },
  '/api/replays': { POST: answerReplayMany },
  '/api/replays/{id}': { GET: answerJob },
  '/api/quarantine': { GET: answerQuarantine },
  '/api/quarantine/{source}/{key}': { GET: answerKept },
  '/api/quarantine/{source}/{key}/reverify': { POST: answerReverify },
  '/api/quarantine/{source}/{key}/accept': { POST: answerAccept },
}
