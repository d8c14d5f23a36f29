import { inspect } from 'node:util'

/** A value that never prints and is never empty. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    if (value === '') throw new TypeError('a secret is empty: expected at least one character')
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  toString(): string {
    return '[REDACTED]'
  }

  toJSON(): string {
    return '[REDACTED]'
  }

  [inspect.custom](): string {
    return '[REDACTED]'
  }
}
