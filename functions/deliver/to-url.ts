import type { Handler } from '../consume/handle.ts'
import type { Millis } from '../domain/brands.ts'
import { TryLater, Unprocessable, type WebhookEvent } from '../domain/event.ts'
import type { PostAnswer, PostRequest } from '../domain/handing-over.ts'
import type { Clock } from '../domain/ports.ts'
import type { Secret } from '../domain/secret.ts'
import { signStandard } from './sign-standard.ts'
import type { UrlTarget } from './target.ts'

export interface UrlDelivery {
  readonly now: Clock
  /** Of this destination. Throws if it cannot be read. `again`: what is remembered may be an old one. */
  secret(again?: 'again'): Promise<Secret>
  /** Follows no redirect. Throws if there was no whole answer in time. */
  post(request: PostRequest): Promise<PostAnswer>
}

/** Posts an event to a service of the user's, signed as Standard Webhooks say: done when it answers 2xx. */
export const toUrl =
  ({ now, secret, post }: UrlDelivery, target: UrlTarget): Handler =>
  async (event, { signal }) => {
    const { url, timeoutSeconds, privateAddresses } = target
    const body = await event.bytes()
    const postWith = (key: Secret): Promise<PostAnswer> => {
      const signed = signStandard(key, { id: event.idempotencyKey, at: now(), body })
      const headers = { ...headersOf(event), ...signed, 'content-length': String(body.length) }
      return post({ url, headers, body, timeoutSeconds, privateAddresses, signal })
    }
    const used = await secret()
    const answer = await postWith(used)
    // The service may have been given another secret a moment ago, and be right to refuse this one.
    const newest = isRefusal(answer) ? await secret('again') : used
    judge(newest.equals(used.reveal()) ? answer : await postWith(newest), now())
  }

/** The service may say 408, 425 or 429 to what it would take later; any other 4xx means that it never will. */
const LATER: ReadonlySet<number> = new Set([408, 425, 429])

const isRefusal = ({ status }: PostAnswer): boolean => status >= 400 && status < 500 && !LATER.has(status)

const judge = (answer: PostAnswer, now: Millis): void => {
  const { status, retryAfter } = answer
  if (status >= 200 && status < 300) return
  const said = `answered ${status}${status < 400 ? ', and redirects are not followed' : ''}`
  if (isRefusal(answer)) throw new Unprocessable(said)
  const wait = secondsOf(retryAfter, now)
  throw wait === undefined ? new Error(said) : new TryLater(said, wait)
}

/** `Retry-After` is a number of seconds or an HTTP date; anything else says nothing. */
const secondsOf = (text: string | undefined, now: Millis): number | undefined => {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text.trim())) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}

const headersOf = (event: WebhookEvent): Record<string, string> => ({
  'content-type': contentType(event.headers['content-type']),
  'user-agent': 'Hooklatch/1',
  'hooklatch-source': event.source,
  'hooklatch-event-id': asHeader(event.eventId),
  ...(event.type !== null && { 'hooklatch-event-type': asHeader(event.type) }),
  'hooklatch-received-at': event.receivedAt,
  'hooklatch-generation': String(event.generation),
  'hooklatch-correlation-id': asHeader(event.correlationId),
})

/** As the sender said it, if HTTP can say it again. */
const contentType = (said = 'application/json'): string =>
  /^[\x20-\x7e]+$/.test(said) ? said : 'application/octet-stream'

/** What HTTP allows in a header; all else is percent-encoded. */
const asHeader = (text: string): string => text.toWellFormed().replace(/[^\x21-\x7e]+/g, encodeURIComponent)
