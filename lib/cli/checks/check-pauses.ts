import { iso } from '../../../functions/domain/brands.ts'
import { WORKER } from '../../../functions/domain/destinations.ts'
import { begunAt, isPaused } from '../../../functions/domain/pauses.ts'
import { destinationsOf } from '../../connect/destinations-of.ts'
import { type Check, fine, warning } from './finding.ts'

/** A pause is meant, and easily forgotten. */
export const checkPauses: Check = async ({ connection }) => {
  const { stores, now } = connection
  const names = [WORKER, ...Object.keys(destinationsOf(connection))]
  const pauses = await Promise.all(names.map(name => stores.pauses.read(name)))
  const paused = pauses.filter(pause => isPaused(pause, now()))
  if (paused.length === 0) return [fine('no destination is paused')]
  return paused.map(pause => {
    const { destination, until, actor, reason } = pause
    const says = `paused since ${iso(begunAt(pause))}, until ${iso(until)}, by ${actor}: ${reason}`
    return warning(says, `npx hooklatch resume ${destination}`, destination)
  })
}
