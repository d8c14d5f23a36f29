import type { Message } from '../contract/message.ts'
import type { Fingerprint, Millis, Sha256 } from '../domain/brands.ts'
import { sha256 } from '../domain/identity.ts'
import { BodyDamaged } from '../domain/kept-body.ts'
import { unpack } from '../domain/packing.ts'
import type { BodyStore } from '../domain/ports.ts'

/** The raw bytes of a message, wherever they are; thrown when they are gone or are not the bytes that were received. */
export const openBody = async (
  bodies: Pick<BodyStore, 'fetch'>,
  message: Message,
  now: Millis,
): Promise<Uint8Array> => {
  const bytes = await rawBytes(bodies, message, now)
  if (sha256(bytes) !== message.body.sha256) throw damaged(message)
  return bytes
}

/** Its bytes are there, and are not what was received. */
export const isDamaged = async (...given: Parameters<typeof openBody>): Promise<boolean> => {
  try {
    await openBody(...given)
    return false
  } catch (error) {
    if (error instanceof BodyGone) return false
    if (error instanceof BodyDamaged) return true
    throw error
  }
}

const damaged = ({ body }: Message): BodyDamaged => new BodyDamaged(`the body does not match its hash ${body.sha256}`)

export class BodyGone extends Error {
  override readonly name = 'BodyGone'
}

const rawBytes = async (bodies: Pick<BodyStore, 'fetch'>, message: Message, now: Millis): Promise<Uint8Array> => {
  const { id, copyOf = id, body } = message
  if (body.encoding !== 'pointer') {
    try {
      return unpack({ compressed: body.encoding === 'zstd', bytes: Buffer.from(body.data, 'base64') })
    } catch {
      throw damaged(message)
    }
  }
  const kept = await bodies.fetch(copyOf as Fingerprint, body.sha256 as Sha256, body.at, now)
  if (!kept) throw new BodyGone(`the body that the message points to (${body.at}) is gone`)
  return kept.bytes
}
