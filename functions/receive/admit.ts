import { BODY_LIMIT_BYTES } from '../contract/limits.ts'
import type { Delivery } from '../domain/delivery.ts'
import { type Ending, reject } from '../domain/outcome.ts'
import type { Source } from '../domain/source.ts'
import type { Admitted } from '../domain/stages.ts'
import type { World } from './world.ts'

/** The cheapest questions first: nothing here reads the body or leaves the process. */
export const admit = (world: World, delivery: Delivery): Admitted | Ending<'rejected'> => {
  const source = world.sources.get(delivery.source)
  if (!isTaken(delivery.method, source)) return reject('method')
  if (delivery.body.length > BODY_LIMIT_BYTES) return reject('too-large')
  if (isEncoded(delivery)) return reject('encoding')
  if (!source || source.publish) return reject('unknown-source')
  return { delivery, source } as Admitted
}

/** Other methods only reach a sender's handshake. */
const isTaken = (method: string, source: Source | undefined): boolean =>
  method === 'POST' || (source?.provider.handshake?.methods ?? []).some(taken => taken === method)

/** A compressed body is refused, not inflated: the bytes that were signed are not the bytes that would be stored. */
export const isEncoded = (delivery: Delivery): boolean =>
  (delivery.headers.get('content-encoding') ?? []).some(value => !UNENCODED.has(value.trim().toLowerCase()))

const UNENCODED: ReadonlySet<string> = new Set(['', 'identity'])
