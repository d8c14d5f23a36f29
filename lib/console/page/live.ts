import type { ListedEvent } from '../wanted.ts'
import { ApiError, call, GONE } from './api.ts'

export type Line = 'connecting' | 'live' | 'lost' | 'locked'

export interface Listener {
  /** All that one look of the server found. */
  readonly onEvents: (events: readonly ListedEvent[]) => void
  readonly onLine: (line: Line, why: string) => void
}

/** The server says something every second; after this long a silent line is a dead one. */
const SILENT_MS = 8_000
const RETRY_MS = [500, 1_000, 2_000, 4_000] as const

/** Listens until aborted, and again and again when the line breaks. `from` is asked again each time. */
export const listen = async (from: () => string, listener: Listener, signal: AbortSignal): Promise<void> => {
  let failures = 0
  while (!signal.aborted) {
    const heard = await listenOnce(from(), listener, signal)
    failures = heard ? 1 : failures + 1
    await pause(RETRY_MS[Math.min(failures, RETRY_MS.length) - 1] ?? 0, signal)
  }
}

/** Answers whether anything was heard before the line broke. */
const listenOnce = async (from: string, { onEvents, onLine }: Listener, signal: AbortSignal): Promise<boolean> => {
  let heard = false
  try {
    for await (const events of looks(from, signal)) {
      heard = true
      onLine('live', '')
      if (events.length > 0) onEvents(events)
    }
  } catch (error) {
    const locked = error instanceof ApiError && error.type === 'token'
    if (!signal.aborted) onLine(locked ? 'locked' : 'lost', error instanceof ApiError ? error.message : GONE)
  }
  return heard
}

/** The events of each look; an empty line ends a look. */
async function* looks(from: string, signal: AbortSignal): AsyncGenerator<ListedEvent[]> {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), SILENT_MS)
  try {
    const response = await call(`/api/stream?from=${encodeURIComponent(from)}`, {
      signal: AbortSignal.any([signal, silence.signal]),
    })
    let [rest, events]: [string, ListedEvent[]] = ['', []]
    for await (const text of texts(response)) {
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), SILENT_MS)
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line !== '') events.push(JSON.parse(line) as ListedEvent)
        else {
          yield events
          events = []
        }
      }
    }
  } finally {
    clearTimeout(timer)
  }
}

/** By hand, since not every browser iterates over a stream. */
async function* texts(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  if (reader === undefined) return
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) yield chunk.value
}

const pause = (millis: number, signal: AbortSignal): Promise<void> =>
  new Promise(resolve => {
    const timer = setTimeout(resolve, millis)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
