import type { Unavailable } from './ports.ts'

const CAUSE_LENGTH = 120

/** Class and the beginning of the message: enough to act on, and never a dump of the request. */
export const causeOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}`.slice(0, CAUSE_LENGTH) : 'not an Error'

export const unavailable = (error: unknown): Unavailable => ({ kind: 'unavailable', cause: causeOf(error) })

/** What a call was answered, or that it was not. */
export const answered = async <Answer>(call: Promise<Answer>): Promise<Answer | Unavailable> => {
  try {
    return await call
  } catch (error) {
    return unavailable(error)
  }
}
