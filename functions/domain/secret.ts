import { createSecretKey, hash, type KeyObject, timingSafeEqual } from 'node:crypto'
import { inspect } from 'node:util'

const digest = (text: string): Buffer => hash('sha256', text, 'buffer')

/** A value that never prints and is never empty. */
export class Secret {
  readonly #value: string
  #key: KeyObject | undefined

  constructor(value: string) {
    if (value === '') throw new TypeError('a secret is empty: expected at least one character')
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  /** For HMACs: Node would make one of the text for each of them. */
  key(): KeyObject {
    this.#key ??= createSecretKey(this.#value, 'utf8')
    return this.#key
  }

  /** In constant time, whatever the lengths: the other one may be a guess. */
  equals(other: string): boolean {
    return timingSafeEqual(digest(this.#value), digest(other))
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
