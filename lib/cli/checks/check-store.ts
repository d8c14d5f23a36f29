import { millis } from '../../../functions/domain/brands.ts'
import { type Check, fine } from './finding.ts'

const DAY_MS = 86_400_000

/** The table and its index answer. */
export const checkStore: Check = async ({ connection }) => {
  const now = connection.now()
  const { records } = await connection.stores.records.list({ limit: 1, now, from: millis(now - DAY_MS) })
  const [newest] = records
  const came = newest
    ? `the newest event came ${new Date(newest.claimedAt).toISOString()}`
    : 'no event came within the last day'
  return [fine(`the table answers; ${came}`)]
}
