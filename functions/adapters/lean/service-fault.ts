import type { Incoming } from './exchange.ts'

/** The service answered, and not with a 2xx. Its name is the service's own word for it. */
export class ServiceFault extends Error {
  readonly answer: Incoming
  /** How many times the call was made, this one included. */
  attempts = 1

  constructor(code: string, message: string, answer: Incoming) {
    super(message)
    this.name = code
    this.answer = answer
  }

  /** The caller's fault, and certainly not applied: no attempt before this one may have been. */
  get certain(): boolean {
    return this.attempts === 1 && this.answer.status >= 400 && this.answer.status < 500
  }
}
