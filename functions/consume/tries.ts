import { TRIES } from '../contract/queues.ts'

/** How often a handler is called with one event before it fails: as its user says, else by the kind of the queue. */
export const triesOf = (group: string | null, said: number | undefined): number =>
  said ?? (group === null ? TRIES.standard : TRIES.ordered)

/** The user's number, if it is one. */
export const checkTries = (said: number | undefined): number | undefined => {
  if (said === undefined || (Number.isInteger(said) && said >= 1)) return said
  throw new RangeError(`tries: found ${said}, expected a whole number of at least 1`)
}
