import { plus, seconds, toSeconds } from '../domain/brands.ts'
import type { Admitted } from '../domain/evidence.ts'
import { keptDelivery } from '../domain/kept-delivery.ts'
import type { Ending } from '../domain/outcome.ts'
import type { Receiving } from '../domain/world.ts'

const KEPT_FOR = seconds(3 * 86_400)
const STATUS = 401

/** A delivery that was not believed, kept where its source wants that; best effort, and its answer stays what it is. */
export const quarantine = async (
  world: Receiving,
  { delivery, source }: Admitted,
  refused: Ending<'rejected'> | Ending<'unavailable'>,
): Promise<Ending<'rejected'> | Ending<'unavailable'>> => {
  if (source.quarantine && refused.outcome === 'rejected') {
    const expiresAt = plus(toSeconds(world.now()), KEPT_FOR)
    await world.deliveries?.keep('quarantine', keptDelivery(delivery, refused, STATUS, expiresAt))
  }
  return refused
}
