import {
  answerCaptured,
  answerCaptures,
  answerComparison,
  answerStartCapture,
  answerStopCapture,
} from './answer-capture.ts'
import { answerCompare, answerComparisons } from './answer-comparisons.ts'
import { answerDestinations, answerPause, answerResume } from './answer-destinations.ts'
import { answerAccept, answerKept, answerQuarantine, answerReverify } from './answer-quarantine.ts'
import { answerDeadLetters, answerEvent, answerEvents, answerSources, answerStats } from './answer-questions.ts'
import { answerJob, answerPlan, answerRedrive, answerReplay, answerReplayMany } from './answer-replay.ts'
import { answerStream } from './answer-stream.ts'
import type { Answering } from './question.ts'

/** The whole API. */
export const ROUTES: Readonly<Record<string, Readonly<Partial<Record<'GET' | 'POST', Answering>>>>> = {
  '/api/sources': { GET: answerSources },
  '/api/comparisons': { GET: answerComparisons },
  '/api/comparisons/{source}': { POST: answerCompare },
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
  '/api/destinations': { GET: answerDestinations },
  '/api/destinations/{name}/pause': { POST: answerPause },
  '/api/destinations/{name}/resume': { POST: answerResume },
  '/api/captures': { GET: answerCaptures, POST: answerStartCapture },
  '/api/captures/{source}/stop': { POST: answerStopCapture },
  '/api/captures/{source}/compare': { GET: answerComparison },
  '/api/captures/{source}/{key}': { GET: answerCaptured },
}

type Route = (typeof ROUTES)[string]

export interface FoundRoute {
  readonly route: Route
  readonly named: Readonly<Record<string, string>>
}

/** Written out or by its `{name}`s; what cannot be decoded is nowhere. */
export const findRoute = (path: string): FoundRoute | undefined => {
  const parts = decodedParts(path)
  if (parts === undefined) return undefined
  for (const [pattern, route] of Object.entries(ROUTES)) {
    const named = namedParts(pattern.split('/'), parts)
    if (named) return { route, named }
  }
  return undefined
}

const namedParts = (pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined => {
  if (pattern.length !== parts.length) return undefined
  const named: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? ''
    if (expected.startsWith('{') && part !== '') named[expected.slice(1, -1)] = part
    else if (expected !== part) return undefined
  }
  return named
}

const decodedParts = (path: string): string[] | undefined => {
  try {
    return path.split('/').map(decodeURIComponent)
  } catch {
    return undefined
  }
}
