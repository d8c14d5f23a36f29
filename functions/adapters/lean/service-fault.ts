import type { Incoming } from './exchange.ts'

/** What an answer that is an error says. */
export interface Fault {
  readonly code: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** The service answered, and not with a 2xx. Its name is the service's own word for it. */
export class ServiceFault extends Error {
  readonly details: Readonly<Record<string, unknown>>
  readonly answer: Incoming
  /** How many times the call was made, this one included. */
  attempts = 1

  private constructor({ code, message, details = {} }: Fault, answer: Incoming) {
    super(message)
    this.name = code
    this.details = details
    this.answer = answer
  }

  /** Without a stack, which would show our own retry loop and cost 3 % of a duplicate. */
  static of(fault: Fault, answer: Incoming): ServiceFault {
    const limit = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    const made = new ServiceFault(fault, answer)
    Error.stackTraceLimit = limit
    return made
  }

  /** The caller's fault, and certainly not applied: no attempt before this one may have been. */
  get certain(): boolean {
    return this.attempts === 1 && this.answer.status >= 400 && this.answer.status < 500
  }
}
