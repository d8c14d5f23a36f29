import type { IncomingMessage } from 'node:http'
import { type Millis, millis } from '../../functions/domain/brands.ts'
import { parseJson } from '../../functions/domain/parse-json.ts'
import { MOST_REASON } from '../../functions/operate/read-request.ts'
import { isProblem, type Problem, problem } from './problem.ts'
import type { Answer, Answering, Question } from './question.ts'

/** Reasons and filters are short. */
const MOST_BYTES = 65_536

/** The JSON object of a request. Only as application/json, which no form of another page can send. */
const readJson = async (request: IncomingMessage): Promise<Given | Problem> => {
  if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
    return problem('media', 'Send the request with Content-Type: application/json.')
  }
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > MOST_BYTES) return problem('too-large', 'A request is at most 64 KB.')
    chunks.push(chunk as Buffer)
  }
  return objectOf(Buffer.concat(chunks).toString('utf8')) ?? problem('input', 'The body is not a JSON object.')
}

const objectOf = (text: string): Given | undefined => {
  const value = parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

export type Given = Readonly<Record<string, unknown>>

type Acting = (question: Question, given: Given) => Promise<Answer | Problem>

/** For whoever posts: what the request holds. */
export const posted =
  (act: Acting): Answering =>
  async question => {
    const given = await readJson(question.request)
    return isProblem(given) ? given : act(question, given)
  }

/** For whoever does something that is recorded: the reason as well. */
export const withReason = (
  act: (question: Question, reason: string, given: Given) => ReturnType<Answering>,
): Answering =>
  posted(async (question, given) => {
    const reason = readReason(given.reason)
    return isProblem(reason) ? reason : act(question, reason, given)
  })

const readReason = (value: unknown): string | Problem => {
  const reason = typeof value === 'string' ? value.trim() : ''
  if (reason === '') return problem('input', 'Say why in "reason": it is recorded with your name.')
  return reason.length <= MOST_REASON
    ? reason
    : problem('input', `A reason has at most ${MOST_REASON} characters; this one has ${reason.length}.`)
}

/** An ISO time, or so many milliseconds before now when there is none. */
export const readInstant = (text: string | null, name: string, otherwise: number): Millis | Problem => {
  if (text === null || text === '') return millis(otherwise)
  const instant = Date.parse(text)
  return Number.isNaN(instant)
    ? problem('input', `${name}=${text} is not a time: expected such as 2026-11-16T09:00:00Z.`)
    : millis(instant)
}

export const readCount = (
  text: string | null,
  name: string,
  { max, otherwise }: { readonly max: number; readonly otherwise: number },
): number | Problem => {
  if (text === null || text === '') return otherwise
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0
  return number >= 1 && number <= max
    ? number
    : problem('input', `${name}=${text} is not a whole number from 1 to ${max}.`)
}

/** A whole number in JSON; `otherwise` when there is none. */
export const readWhole = <Otherwise extends number | undefined>(
  value: unknown,
  name: string,
  { min, max, otherwise }: { readonly min: number; readonly max: number; readonly otherwise: Otherwise },
): number | Otherwise | Problem => {
  if (value === undefined || value === null) return otherwise
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max
    ? value
    : problem('input', `"${name}" is not a whole number from ${min} to ${max}.`)
}
