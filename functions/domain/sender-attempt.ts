import type { HeaderMap } from './delivery.ts'

/** Headers in which senders count their tries, as docs/providers.md names them. Some count from 0, some only retries. */
const HEADERS = [
  'x-slack-retry-num',
  'twitch-eventsub-message-retry',
  'square-retry-number',
  'x-atlassian-webhook-retry',
  'x-attempt-number',
  'x-neon-delivery-attempt',
  'aeg-delivery-count',
] as const

/** The sender's own number of this try; `undefined` where it says none. A number and nothing else, so it may be logged. */
export const senderAttempt = (headers: HeaderMap): number | undefined => {
  for (const name of HEADERS) {
    const number = headers.get(name)?.find(text => /^\d{1,5}$/.test(text))
    if (number !== undefined) return Number(number)
  }
  return undefined
}
