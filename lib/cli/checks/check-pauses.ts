import { iso } from '../../../functions/domain/brands.ts'
import { WORKER } from '../../../functions/domain/destinations.ts'
import { isPaused } from '../../../functions/domain/pauses.ts'
import type { Connection } from '../../connect/connection.ts'
import { type Check, fine } from './finding.ts'

/** A pause is meant, and easily forgotten. */
export const checkPauses: Check = async ({ connection }) => {
  const { stores, now } = connection
  const pauses = await Promise.all(namesOf(connection).map(name => stores.pauses.read(name)))
  const paused = pauses.filter(pause => isPaused(pause, now()))
  if (paused.length === 0) return [fine('no destination is paused')]
  return paused.map(({ destination, at, until, actor, reason }) => ({
    level: 'warning',
    subject: destination,
    says: `paused since ${iso(at)}, until ${iso(until)}, by ${actor}: ${reason}`,
    fix: `npx hooklatch resume ${destination}`,
  }))
}

const namesOf = (connection: Connection): readonly string[] => {
  if (connection.kind === 'local') return [WORKER, ...Object.keys(connection.instance.resources.destinations)]
  return [WORKER, ...Object.keys(JSON.parse(connection.outputs.destinations ?? '{}'))]
}
