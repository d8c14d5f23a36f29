import { consume } from '../../functions/consume/consume.ts'
import { workBy } from './worker.ts'

/** Counts in hundreds, so that a counter says which of the two workers has had an event. */
export const work = workBy(100)

export const handler = consume(work)
