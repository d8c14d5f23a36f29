import type { Message } from '../../functions/contract/message.ts'
import { unpack } from '../../functions/domain/packing.ts'

/** The bytes that senders signed, by the sender's own id of the event: an event may have been rendered more than once. */
export class Signed {
  readonly #bodies = new Map<string, Buffer[]>()

  add(eventId: string, body: string): void {
    const bodies = this.#bodies.get(eventId) ?? []
    bodies.push(Buffer.from(body))
    this.#bodies.set(eventId, bodies)
  }

  /** Byte for byte: that takes less than the hash of a megabyte. */
  has(eventId: string, bytes: Uint8Array): boolean {
    return this.#bodies.get(eventId)?.some(body => body.equals(bytes)) === true
  }
}

/** What a message carries; `undefined` if it points to it. */
export const bytesIn = ({ body }: Message): Uint8Array | undefined =>
  body.encoding === 'pointer'
    ? undefined
    : unpack({ compressed: body.encoding === 'zstd', bytes: Buffer.from(body.data, 'base64') })
