import { validateHeaderValue } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SignedRequest } from '../sender/sign.ts'

/** What the server said: a status, or why there is none. */
export interface ServerAnswer {
  readonly status: number | null
  readonly text: string
  readonly durationMs: number
}

export interface Posting {
  /** Aborted: there is no answer any more, and the event was not sent. */
  readonly signal: AbortSignal
  /** Nobody listens at the address: said once for each time it goes down. */
  readonly onDown: (why: string) => void
}

/** Somebody may be at a breakpoint. */
const ANSWER_WITHIN_MS = 60_000
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 15_000
const SHOWN_CHARACTERS = 200

/** Posts until a server has answered. One that is down is asked again, ever more slowly. `undefined`: we were asked to end. */
export const postEvent = async (make: () => SignedRequest, posting: Posting): Promise<ServerAnswer | undefined> => {
  const { signal, onDown } = posting
  for (let wait = FIRST_WAIT_MS; !signal.aborted; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
    // Signed anew each time: a server refuses a proof that is minutes old.
    const answer = await postOnce(make(), signal)
    if (typeof answer !== 'string') return answer
    if (signal.aborted) return undefined
    if (wait === FIRST_WAIT_MS) onDown(answer)
    await sleep(wait, undefined, { signal }).catch(() => undefined)
  }
  return undefined
}

/** An answer, or why nobody could be reached. */
const postOnce = async ({ url, headers, body }: SignedRequest, ended: AbortSignal): Promise<ServerAnswer | string> => {
  const began = performance.now()
  const since = (): number => Math.round(performance.now() - began)
  const tooLong = AbortSignal.timeout(ANSWER_WITHIN_MS)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: sendable(headers),
      body: Buffer.from(body),
      redirect: 'manual',
      signal: AbortSignal.any([ended, tooLong]),
    })
    const text = (await answer.text()).slice(0, SHOWN_CHARACTERS)
    return { status: answer.status, text, durationMs: since() }
  } catch (error) {
    // It has got the event, so it is not down.
    if (tooLong.aborted) return { status: null, text: `no answer in ${ANSWER_WITHIN_MS / 1000} s`, durationMs: since() }
    if (ended.aborted) return 'ended'
    const { cause = error } = error as { readonly cause?: NodeJS.ErrnoException }
    const { code, message } = cause as NodeJS.ErrnoException
    // What has no code is no fault of the network: a port that fetch refuses stays refused.
    if (code === undefined) throw new Error(`Nothing can be sent to ${url}: ${message}.`)
    return message || code
  }
}

/** What no HTTP client can send is left out: fetch would refuse the whole event. */
const sendable = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => {
      try {
        validateHeaderValue(name, value)
        return true
      } catch {
        return false
      }
    }),
  )
