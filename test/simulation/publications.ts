import type { Message } from '../../functions/contract/message.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Check } from './check-times.ts'

/** What a producer said under a key. */
export interface Said {
  readonly caller: string
  readonly key: string
  readonly body: string
}

const nameOf = ({ caller, key }: Pick<Said, 'caller' | 'key'>): string => `${caller} ${key}`

/** Which event every caller's key became, and with which payload: the first that was claimed. */
export class Publications {
  /** Everything that producers ever say, by its hash. */
  readonly said = new Map<string, Said>()
  readonly #ids = new Map<string, Fingerprint>()
  readonly #payloads = new Map<string, Said>()
  readonly #check: Check

  constructor(check: Check) {
    this.#check = check
  }

  idOf(said: Said): Fingerprint | undefined {
    return this.#ids.get(nameOf(said))
  }

  /** Its key stands for two payloads: forgotten in between, it is two events of one name, and nobody can tell whose message is whose. */
  isAmbiguous(id: string): boolean {
    const payload = this.#payloads.get(id)
    if (!payload) return false
    return [...this.said.values()].some(each => nameOf(each) === nameOf(payload) && each.body !== payload.body)
  }

  payloadOf(id: string): Said | undefined {
    return this.#payloads.get(id)
  }

  wrote(before: EventRecord | undefined, after: EventRecord, name: string): void {
    const { fingerprint, bodySha256, copyOf } = after
    // A copy is of an event that has its key already.
    if (copyOf !== null) return
    if (before) {
      this.#check(
        'a key names one payload for good',
        !this.#payloads.has(fingerprint) || bodySha256 === before.bodySha256,
        () => `${name} changed the payload of ${this.#payloads.get(fingerprint)?.key}`,
      )
      this.#check(
        'a key that has failed begins again only for an operator',
        !this.#payloads.has(fingerprint) || name !== 'reopen',
        () => `${this.#payloads.get(fingerprint)?.key} was reopened`,
      )
      return
    }
    const said = this.said.get(bodySha256)
    if (!said) return
    const known = this.idOf(said)
    this.#check(
      'S9 a caller\u2019s key is one event',
      known === undefined || known === fingerprint,
      () => `${nameOf(said)} is ${known} and ${fingerprint}`,
    )
    this.#ids.set(nameOf(said), fingerprint)
    this.#payloads.set(fingerprint, said)
  }

  sent({ id, eventId, headers }: Message): void {
    const said = this.#payloads.get(id)
    if (!said) return
    this.#check(
      'a published event names its caller and key',
      headers['x-hooklatch-caller'] === said.caller && eventId === said.key,
      () => `${headers['x-hooklatch-caller']} ${eventId}, expected ${nameOf(said)}`,
    )
  }
}
