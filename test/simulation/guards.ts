import type { EventRecord } from '../../functions/domain/record.ts'
import type { Check } from './check-times.ts'

/** Which event claimed which bytes, of those that were claimed with a guard. */
export class Guards {
  readonly #owners = new Map<string, string>()
  readonly #check: Check
  readonly #count: () => void

  constructor(check: Check, count: () => void) {
    this.#check = check
    this.#count = count
  }

  claimed({ fingerprint, bodySha256, source, copyOf }: EventRecord): void {
    if (source !== 'github' || copyOf !== null) return
    this.#count()
    const owner = this.#owners.get(bodySha256) ?? fingerprint
    this.#check(
      'S11 with a guard, the same signed bytes are one event',
      owner === fingerprint,
      () => `${fingerprint.slice(0, 8)} after ${owner.slice(0, 8)}`,
    )
    this.#owners.set(bodySha256, fingerprint)
  }

  forget(fingerprint: string): void {
    for (const [bytes, owner] of this.#owners) if (owner === fingerprint) this.#owners.delete(bytes)
  }
}
