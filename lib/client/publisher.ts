import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { writeIdempotencyKey } from '../../functions/domain/idempotency-key.ts'

export interface PublisherOptions {
  /** Of a source, such as the stack's output `UrlOrders`. */
  readonly url: string
  /** Headers to send instead of the given ones, `authorization` among them: `sigV4(...)`. Asked anew for each try. */
  readonly sign: (request: Unsigned) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>
  /** Tries in all. @default 6 */
  readonly tries?: number
  /** Of one try, in milliseconds. @default 10000 */
  readonly timeout?: number
  readonly fetch?: typeof fetch
  readonly sleep?: (milliseconds: number) => Promise<unknown>
  /** From 0 to 1. */
  readonly random?: () => number
  readonly newKey?: () => string
}

export interface Unsigned {
  readonly method: 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Answer {
  /** The one that was sent with every try: keep it, to try again later. */
  readonly key: string
  /** 0: nobody answered. */
  readonly status: number
  readonly body: string
  /** The event was there already. */
  readonly replayed: boolean
  readonly tries: number
}

/** Publishes events, each under one key however often it has to be tried. Does not throw: what came of it is the answer. */
export const publisher = (options: PublisherOptions) => {
  const { sign, tries = 6, timeout = 10_000, sleep = wait, random = Math.random, newKey = randomUUID } = options
  const send = options.fetch ?? fetch

  const attempt = async (key: string, body: string): Promise<Tried> => {
    try {
      const url = new URL(options.url)
      const headers = { 'content-type': 'application/json', 'idempotency-key': writeIdempotencyKey(key) }
      const signed = await sign({ method: 'POST', url, headers, body })
      // `fetch` writes this one itself, and refuses to be told.
      const { host, ...sent } = signed
      const answer = await send(url, { method: 'POST', headers: sent, body, signal: AbortSignal.timeout(timeout) })
      return {
        status: answer.status,
        body: await answer.text(),
        replayed: answer.headers.get('idempotent-replayed') === 'true',
        retryAfter: Number(answer.headers.get('retry-after') ?? 0),
      }
    } catch (error) {
      const { cause } = error as Error
      return { status: 0, body: cause instanceof Error ? cause.message : String(error), replayed: false, retryAfter: 0 }
    }
  }

  return {
    async publish(event: unknown, key: string = newKey()): Promise<Answer> {
      // Made once: another rendering of the same event would be another payload.
      const body = typeof event === 'string' ? event : JSON.stringify(event)
      for (let tried = 1; ; tried++) {
        const { retryAfter, ...answer } = await attempt(key, body)
        if (!mayRetry(answer.status) || tried >= tries) return { key, ...answer, tries: tried }
        await sleep(pauseBefore(tried, retryAfter, random))
      }
    },
  }
}

interface Tried extends Omit<Answer, 'key' | 'tries'> {
  readonly retryAfter: number
}

/** Nobody answered, another try of ours is running, too many requests, or the other side is out of order. */
const mayRetry = (status: number): boolean => status === 0 || status === 409 || status === 429 || status >= 500

const FIRST_PAUSE_MS = 200
const LONGEST_PAUSE_MS = 20_000

/** Twice as long each time, a random part of it so many clients do not come back at once, and never sooner than asked. */
const pauseBefore = (tried: number, retryAfter: number, random: () => number): number => {
  const backoff = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tried - 1)) * random()
  const asked = Number.isFinite(retryAfter) ? Math.min(LONGEST_PAUSE_MS, Math.max(0, retryAfter) * 1_000) : 0
  return Math.round(asked + backoff)
}
