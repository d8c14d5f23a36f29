import { millis } from '../../functions/domain/brands.ts'
import type { Counts } from '../operator/counts.ts'
import { explainFault } from '../operator/explain-fault.ts'
import { USE_METRICS } from '../operator/secret-uses.ts'
import type { Connection } from './connection.ts'
import { countsOf } from './counts-of.ts'

/** A quiet webhook may be quiet for a while. */
const LOOK_BACK_MS = 90 * 86_400_000

/** What tells when each source's secrets were last used, or a sentence that says why that is not known. */
export const usesOf = async (connection: Connection, sources: readonly string[]): Promise<Counts | string> => {
  const until = connection.now()
  try {
    return await countsOf(connection, { sources, metrics: USE_METRICS, from: millis(until - LOOK_BACK_MS), until })
  } catch (error) {
    return `It is not known when the secrets were last used. ${explainFault(error) ?? (error as Error).message}`
  }
}
