import type { Verified } from '../domain/evidence.ts'
import { type Ending, ended } from '../domain/outcome.ts'
import type { Receiving } from '../domain/world.ts'
import { identify } from './identify.ts'
import { split } from './split.ts'

/** The answer that an operator has asked for, while a source is drilled. */
export const drillOf = (world: Receiving, { source }: Verified): number | null => {
  const capture = world.secrets.capturing?.(source.name)
  return capture && capture.until > world.now() ? capture.answer : null
}

/** Its genuine deliveries get that answer then, and are not taken. */
export const drill = async (world: Receiving, verified: Verified, status: number): Promise<Ending<'drill'>> => {
  const identified = split(verified) ? null : await identify(world, verified)
  const of =
    identified === null || ended(identified) ? null : { id: identified.fingerprint, eventId: identified.eventId }
  return { outcome: 'drill', status, of }
}
