import { millis } from '../domain/brands.ts'
import type { Pause } from '../domain/ports.ts'
import { systemPause } from './system.ts'
import type { DynamoCalls, Item } from './wire/dynamo-calls.ts'

const BATCH_GET_LIMIT = 100

/** What a table may be asked for, and how: a test has a pause and a chance of its own. */
interface Asking {
  readonly consistent: boolean
  readonly pause?: Pause
  /** From 0 to 1, for the jitter. */
  readonly random?: () => number
}

/** Any number of keys, a hundred at a time; absent ones are left out. */
export const getAll = async (
  dynamo: Pick<DynamoCalls, 'batchGetItem'>,
  TableName: string,
  entries: readonly { readonly fingerprint: string }[],
  { consistent, pause = systemPause, random = Math.random }: Asking,
): Promise<Item[]> => {
  const found: Item[] = []
  // An event that was just taken over may stand in the index twice, and asking for a key twice is an error.
  let keys: Item[] = [...new Set(entries.map(entry => entry.fingerprint))].map(fingerprint => ({ fingerprint }))
  for (let fruitless = 0; keys.length > 0; ) {
    const Keys = keys.slice(0, BATCH_GET_LIMIT)
    const { items, unprocessed } = await dynamo.batchGetItem({ TableName, Keys, ConsistentRead: consistent })
    found.push(...items)
    keys = [...unprocessed, ...keys.slice(BATCH_GET_LIMIT)]
    if (unprocessed.length === 0) continue
    fruitless = unprocessed.length < Keys.length ? 1 : fruitless + 1
    if (fruitless > MOST_FRUITLESS) throw new Error(`DynamoDB did not get to ${keys.length} keys: it throttles`)
    await pause(millis(random() * Math.min(FIRST_PAUSE_MS * 2 ** fruitless, LONGEST_PAUSE_MS)))
  }
  return found
}

/** Keys come back because the table is throttled: to ask again at once would keep it so. Eleven seconds in all, at most. */
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 2_000
const MOST_FRUITLESS = 10
