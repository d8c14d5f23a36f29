import type { ApiAnswer, HttpAnswer } from '../domain/api-answer.ts'
import { parseExactly } from './exact-json.ts'
import { readPath, readText } from './read-path.ts'

interface Asked {
  readonly sender: string
  readonly rights: string
}

/** What a sender's answer means to us, in a sentence if it is not what was asked for. */
export const judgeAnswer = (asked: Asked, answer: HttpAnswer): ApiAnswer => {
  const { status, headers, text } = answer
  const patience = waitOf(asked, answer)
  if (patience) return patience
  if (status >= 500) return { kind: 'unavailable', cause: `${asked.sender}'s API answered ${status}` }
  if (status < 200 || status > 299)
    return refused(asked, REFUSALS[status]?.(asked) ?? `answered ${status}${saidIn(text)}`)
  if (text.trim() === '') return { kind: 'answered', json: null, headers }
  const json = parse(text)
  if (json === undefined) return refused(asked, notJson(headers))
  const said = userError(json)
  return said === undefined ? { kind: 'answered', json, headers } : refused(asked, `refused it: ${said.slice(0, 200)}`)
}

/** GraphQL answers 200 to what it refuses, under the name of what was asked for. */
const userError = (json: unknown): string | undefined => {
  const data = readPath(json, 'data')
  const answers = typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.values(data) : []
  const [said] = answers.flatMap(each => readText(each, 'userErrors.0.message') ?? [])
  return said ?? readText(json, 'errors.0.message')
}

export const refused = ({ sender }: Pick<Asked, 'sender'>, why: string) =>
  ({ kind: 'refused', why: `${sender}'s API ${why}` }) as const

const REFUSALS: Readonly<Record<number, (asked: Asked) => string>> = {
  401: ({ rights }) => `does not accept the API key (401). It needs ${rights}`,
  403: ({ rights }) => `does not let this API key do that (403). It needs ${rights}`,
  404: () => 'does not know what was asked for (404). Is the account right, and may the key see it?',
}

const notJson = (headers: HttpAnswer['headers']): string =>
  `answered something that is not JSON (${headers['content-type'] ?? 'no content type'}). Is a proxy or a login page in between?`

/** If it does not say how long. */
const WAIT_SECONDS = 10
const HOURLY_WAIT_SECONDS = 60

const waitOf = ({ sender }: Asked, { status, headers }: HttpAnswer): ApiAnswer | undefined => {
  const seconds = secondsIn(headers['retry-after'])
  if (status === 429 || (status === 503 && seconds !== undefined)) {
    return { kind: 'wait', seconds: seconds ?? WAIT_SECONDS, why: `${sender}'s API asks us to slow down (${status})` }
  }
  // GitHub says so when the hour's calls are used up.
  if (status !== 403 || headers['x-ratelimit-remaining'] !== '0') return undefined
  return {
    kind: 'wait',
    seconds: seconds ?? HOURLY_WAIT_SECONDS,
    why: `${sender}'s API has no calls left for us in this hour (403)`,
  }
}

/** A number of seconds; a date is not looked at. */
const secondsIn = (header: string | undefined): number | undefined =>
  header !== undefined && /^\d{1,9}(\.\d+)?$/.test(header.trim()) ? Math.ceil(Number(header)) : undefined

/** The sender's own sentence, if it says one; nothing else of what it answered. */
const saidIn = (text: string): string => {
  const json = parse(text)
  const [said] = SENTENCES.flatMap(path => readText(json, path) ?? [])
  return said === undefined ? '' : `: ${said.slice(0, 200)}`
}

const SENTENCES = ['error.message', 'message', 'error.detail', 'errors.0.detail', 'details.0.issue']

const parse = (text: string): unknown => {
  try {
    return parseExactly(text)
  } catch {
    return undefined
  }
}
