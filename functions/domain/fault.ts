import type { Unavailable } from './ports.ts'

const CAUSE_LENGTH = 300

/** Class and the beginning of the message: enough to act on, and never a dump of the request. */
export const causeOf = (error: unknown): string =>
  error instanceof Error ? faultText(error).slice(0, CAUSE_LENGTH) : 'not an Error'

/** Class and message. AWS begins a denial with who was denied, and a record has 120 bytes: what may not be done, and to what, comes first. */
export const faultText = ({ name, message }: Error): string =>
  `${name}: ${message.replace(DENIED, 'no permission for $1').replace(RESOURCE, ' on $1').replace(QUOTED, '$1: not valid JSON')}`

/** JSON.parse quotes what it could not read, and that may be a body or a secret. */
const QUOTED = /^(Unexpected token .{1,4}), (?:\.\.\.)?".*"(?:\.\.\.)? is not valid JSON$/s

const DENIED = /^User: \S+ is not authorized to perform: (\S+)/

/**
 * Not every service names it, and S3 quotes it. `arn:aws:dynamodb:eu-central-1:123456789012:` tells nothing that is not known, and would
 * push the name of the table out.
 */
const RESOURCE = / on resource: "?(?:arn:[^:\s]*:[^:\s]*:[^:\s]*:[^:\s]*:)?([^\s"]*)"?/

export const unavailable = (error: unknown): Unavailable => ({ kind: 'unavailable', cause: causeOf(error) })

/** What a call was answered, or that it was not. */
export const answered = async <Answer>(call: Promise<Answer>): Promise<Answer | Unavailable> => {
  try {
    return await call
  } catch (error) {
    return unavailable(error)
  }
}
