import type { Verified } from '../domain/evidence.ts'
import { type Ending, ended } from '../domain/outcome.ts'
import type { Receiving } from '../domain/world.ts'
import { identify } from './identify.ts'
import { split } from './split.ts'

/** While an operator drills a source, its genuine deliveries get the answer that was asked for, and are not taken. */
export const drill = async (world: Receiving, verified: Verified): Promise<Ending<'drill'> | undefined> => {
  const capture = await world.secrets.capturing?.(verified.source.name)
  if (!capture || capture.answer === null || capture.until <= world.now()) return undefined
  const identified = split(verified) ? null : await identify(world, verified)
  const of =
    identified === null || ended(identified) ? null : { id: identified.fingerprint, eventId: identified.eventId }
  return { outcome: 'drill', status: capture.answer, of }
}
