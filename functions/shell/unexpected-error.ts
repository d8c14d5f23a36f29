import { causeOf } from '../domain/fault.ts'
import { type Ending, outage } from '../domain/outcome.ts'

/** The last net: a surprise is a 503, so the sender comes again. Its message goes to the log, not to the sender. */
export const outcomeOfError = (error: unknown): Ending<'unavailable'> =>
  outage(error instanceof Error && error.name === 'TimeoutError' ? 'deadline' : 'surprise', causeOf(error))
