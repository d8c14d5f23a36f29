import { plus, seconds, toSeconds } from '../domain/brands.ts'
import type { Admitted } from '../domain/evidence.ts'
import { keptDelivery } from '../domain/kept-delivery.ts'
import type { Ending } from '../domain/outcome.ts'
import type { Receiving } from '../domain/world.ts'
import { conceal } from './conceal.ts'

const KEPT_FOR = seconds(3 * 86_400)
const STATUS = 401

/** A delivery that was not believed, kept where its source wants that; best effort, and its answer stays what it is. */
export const quarantine = async (
  world: Receiving,
  admitted: Admitted,
  refused: Ending<'rejected'> | Ending<'unavailable'>,
): Promise<Ending<'rejected'> | Ending<'unavailable'>> => {
  if (admitted.source.quarantine && refused.outcome === 'rejected') {
    const expiresAt = plus(toSeconds(world.now()), KEPT_FOR)
    const concealed = await conceal(world, admitted, 'quarantine')
    if (concealed) await world.deliveries?.keep('quarantine', keptDelivery(concealed, refused, STATUS, expiresAt))
  }
  return refused
}
