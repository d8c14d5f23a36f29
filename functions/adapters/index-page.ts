import { EVENTS_TABLE } from '../contract/tables.ts'
import { keyCondition, type SortRange } from './expressions.ts'
import type { DynamoCalls, Query } from './wire/dynamo-calls.ts'

/** What the listing index holds of an event. */
export interface Entry {
  readonly fingerprint: string
  readonly claimedAt: string
}

/** One page of one partition of the listing index. */
export const indexPage = async (
  dynamo: Pick<DynamoCalls, 'query'>,
  TableName: string,
  partition: string,
  range: SortRange,
  page: Pick<Query, 'ScanIndexForward' | 'Limit'>,
): Promise<{ readonly entries: readonly Entry[]; readonly isLast: boolean }> => {
  const { name, partitionKey, sortKey } = EVENTS_TABLE.listingIndex
  const condition = keyCondition([partitionKey.name, partition], [sortKey.name, range])
  const { items, lastKey } = await dynamo.query({ TableName, IndexName: name, ...condition, ...page })
  return { entries: items as unknown as readonly Entry[], isLast: lastKey === undefined }
}
