import { BODY_LIMIT_BYTES } from '../contract/limits.ts'
import { type Delivery, isEncoded } from '../domain/delivery.ts'
import type { Admitted } from '../domain/evidence.ts'
import { type Ending, reject } from '../domain/outcome.ts'
import type { Source } from '../domain/source.ts'
import type { Receiving } from '../domain/world.ts'

/** The cheapest questions first: nothing here reads the body or leaves the process. */
export const admit = (world: Receiving, delivery: Delivery): Admitted | Ending<'rejected'> => {
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
