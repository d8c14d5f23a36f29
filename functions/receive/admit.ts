import { BODY_LIMIT_BYTES } from '../contract/limits.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Ending, Rejection } from '../domain/outcome.ts'
import type { Admitted } from '../domain/stages.ts'
import type { World } from './world.ts'

/** The cheapest questions first: nothing here reads the body or leaves the process. */
export const admit = (world: World, delivery: Delivery): Admitted | Ending<'rejected'> => {
  if (delivery.method !== 'POST') return reject('method')
  if (delivery.body.length > BODY_LIMIT_BYTES) return reject('too-large')
  if (isEncoded(delivery)) return reject('encoding')
  const source = world.sources.get(delivery.source)
  if (!source) return reject('unknown-source')
  return { delivery, source } as Admitted
}

/** A compressed body is refused, not inflated: the bytes that were signed are not the bytes that would be stored. */
const isEncoded = (delivery: Delivery): boolean =>
  (delivery.headers.get('content-encoding') ?? []).some(value => value.trim().toLowerCase() !== 'identity')

const reject = (reason: Rejection): Ending<'rejected'> => ({ outcome: 'rejected', reason })
