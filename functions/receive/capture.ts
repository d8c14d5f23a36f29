import { plus, seconds, toSeconds } from '../domain/brands.ts'
import type { Delivery } from '../domain/delivery.ts'
import { keptDelivery } from '../domain/kept-delivery.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Source } from '../domain/source.ts'
import type { Receiving } from '../domain/world.ts'
import { conceal } from './conceal.ts'

const KEPT_FOR = seconds(3 * 86_400)

/** Keeps a delivery and its answer while an operator has that switched on for its source. The switch costs no call, and no wait. */
export const capture = (
  world: Receiving,
  delivery: Delivery,
  outcome: Outcome,
  status: number,
): Promise<void> | undefined => {
  const source = world.sources.get(delivery.source)
  const capturing = source && world.secrets.capturing?.(delivery.source)
  if (!capturing || capturing.until <= world.now()) return undefined
  return kept(world, source, delivery, outcome, status)
}

const kept = async (
  world: Receiving,
  source: Source,
  delivery: Delivery,
  outcome: Outcome,
  status: number,
): Promise<void> => {
  const expiresAt = plus(toSeconds(world.now()), KEPT_FOR)
  const concealed = await conceal(world, { delivery, source }, 'capture')
  if (concealed) await world.deliveries?.keep('capture', keptDelivery(concealed, outcome, status, expiresAt))
}
