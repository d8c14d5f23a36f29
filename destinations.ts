import type { Destinations } from './functions/domain/destinations.ts'

/**
 * Where events may go besides `worker`: `name: { worker | queue | bus | url }`. The routes of a source lead there by name.
 * What a destination may say: functions/domain/destinations.ts.
 */
export default {} satisfies Destinations
