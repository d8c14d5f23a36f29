import type { Message } from '../../functions/contract/message.ts'
import { sha256 } from '../../functions/domain/identity.ts'
import { unpack } from '../../functions/domain/packing.ts'

/** The bytes that senders signed, by the sender's own id of the event: an event may have been rendered more than once. */
export class Signed {
  readonly #hashes = new Map<string, Set<string>>()

  add(eventId: string, body: string): void {
    const hashes = this.#hashes.get(eventId) ?? new Set()
    this.#hashes.set(eventId, hashes.add(hashOf(body)))
  }

  has(eventId: string, bytes: Uint8Array): boolean {
    return this.#hashes.get(eventId)?.has(bytes.length > LONG ? sha256(bytes) : String(Buffer.from(bytes))) === true
  }
}

/** A short body is its own name. */
const LONG = 4_096

const hashOf = (body: string): string => {
  if (body.length <= LONG) return body
  const hash = hashes.get(body) ?? sha256(Buffer.from(body))
  hashes.set(body, hash)
  return hash
}

/** Large bodies are few, and the same in all schedules. */
const hashes = new Map<string, string>()

/** What a message carries; `undefined` if it points to it. */
export const bytesIn = ({ body }: Message): Uint8Array | undefined =>
  body.encoding === 'pointer'
    ? undefined
    : unpack({ compressed: body.encoding === 'zstd', bytes: Buffer.from(body.data, 'base64') })
