import type { Unavailable } from './ports.ts'

const CAUSE_LENGTH = 300

/** Class and the beginning of the message: enough to act on, and never a dump of the request. */
export const causeOf = (error: unknown): string =>
  error instanceof Error ? faultText(error).slice(0, CAUSE_LENGTH) : 'not an Error'

/** Class and message. AWS begins a denial with who was denied, and a record has 120 bytes: what may not be done, and to what, comes first. */
export const faultText = ({ name, message }: Error): string =>
  `${name}: ${message.replace(DENIED, 'no permission for $1 on $2')}`

/** `arn:aws:dynamodb:eu-central-1:123456789012:` tells nothing that is not known, and would push the name of the table out. */
const DENIED =
  /^User: \S+ is not authorized to perform: (\S+) on resource: (?:arn:[^:\s]*:[^:\s]*:[^:\s]*:[^:\s]*:)?(\S+)/

export const unavailable = (error: unknown): Unavailable => ({ kind: 'unavailable', cause: causeOf(error) })

/** What a call was answered, or that it was not. */
export const answered = async <Answer>(call: Promise<Answer>): Promise<Answer | Unavailable> => {
  try {
    return await call
  } catch (error) {
    return unavailable(error)
  }
}
