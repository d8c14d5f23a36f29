import { type Seconds, seconds } from '../domain/brands.ts'
import { ignoredBecause, TryLater, Unprocessable, type WebhookEvent } from '../domain/event.ts'
import { causeOf } from '../domain/fault.ts'
import { clip } from '../domain/record.ts'
import type { EventOf, SourceName } from '../domain/typed-event.ts'
import type { Tools, WatchedTools } from './tools.ts'

/**
 * The user's code. What it returns says nothing, unless it is `ignore(...)`. `Handler<'stripe'>`: for the events of the source of
 * that name, with the types of their sender.
 */
export type Handler<Name extends SourceName = SourceName> = (event: EventOf<Name>, tools: Tools) => Promise<void> | void

export type Handled =
  | { readonly kind: 'returned' }
  /** It has no use for the event. */
  | { readonly kind: 'ignored'; readonly because: string }
  | { readonly kind: 'threw'; readonly lastError: string; readonly retryAfter?: Seconds }
  | { readonly kind: 'unprocessable'; readonly lastError: string }
  /** Still running when time ran out: it may yet have its effect. */
  | { readonly kind: 'hung' }

/** Whatever the handler does, including never coming back, becomes a value. */
export const handle = async (handler: Handler, event: WebhookEvent, tools: WatchedTools): Promise<Handled> => {
  const hung = new Promise<Handled>(resolve => {
    if (tools.signal.aborted) resolve({ kind: 'hung' })
    tools.signal.addEventListener('abort', () => resolve({ kind: 'hung' }), { once: true })
  })
  return Promise.race([run(handler, event, tools), hung])
}

const run = async (handler: Handler, event: WebhookEvent, tools: WatchedTools): Promise<Handled> => {
  const { commit, newest, signal, settled } = tools
  try {
    const returned = await handler(event, { commit, newest, signal })
    await settled()
    const because = ignoredBecause(returned)
    return because === undefined ? { kind: 'returned' } : { kind: 'ignored', because: clip('ignoredBecause', because) }
  } catch (error) {
    const lastError = error instanceof Error ? causeOf(error) : `threw a ${typeof error}`
    if (error instanceof TryLater) return { kind: 'threw', lastError, retryAfter: seconds(Math.max(0, error.seconds)) }
    return { kind: error instanceof Unprocessable ? 'unprocessable' : 'threw', lastError }
  }
}
