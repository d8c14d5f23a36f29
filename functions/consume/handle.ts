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

interface Thrown {
  readonly lastError: string
  /** File, line and column. */
  readonly at?: string
}

export type Handled =
  | { readonly kind: 'returned' }
  /** It has no use for the event. */
  | { readonly kind: 'ignored'; readonly because: string }
  | (Thrown & { readonly kind: 'threw'; readonly retryAfter?: Seconds })
  | (Thrown & { readonly kind: 'unprocessable' })
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
    const thrown = error instanceof Error ? { lastError: causeOf(error), ...placeOf(error) } : notAnError(error)
    if (error instanceof TryLater) return { kind: 'threw', ...thrown, retryAfter: seconds(Math.max(0, error.seconds)) }
    return { kind: error instanceof Unprocessable ? 'unprocessable' : 'threw', ...thrown }
  }
}

const notAnError = (thrown: unknown): Thrown => ({ lastError: `threw a ${typeof thrown}` })

/** The first frame in the user's own code, else the first that is a file. The message may quote anything, so it is left out. */
const placeOf = ({ stack, message }: Error): Pick<Thrown, 'at'> => {
  const frames = String(stack).replace(message, '').slice(0, LONGEST_STACK).split('\n').flatMap(placeIn)
  const at = frames.find(file => !file.includes('/node_modules/')) ?? frames[0]
  return at === undefined ? {} : { at: at.slice(-LONGEST_PLACE) }
}

/** `at work (file:///var/task/index.js:1:2)`; on a laptop `worker.ts?edition=1-1`, since a new version is another module. */
const placeIn = (frame: string): readonly string[] => {
  const [, file, place] = FRAME.exec(frame) ?? []
  return file === undefined ? [] : [`${file}${place}`]
}

const FRAME = /^ +at (?:.* \(|async )?(?:file:\/\/)?((?:\/|[A-Z]:\\)[^?()]+?)(?:\?[^:]*)?(:\d+:\d+)\)?$/

/** Node's has ten frames. What somebody else put there must not take long. */
const LONGEST_STACK = 10_000
const LONGEST_PLACE = 300
