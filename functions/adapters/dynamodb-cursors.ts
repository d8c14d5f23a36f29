import type { EventDays } from '../domain/event-days.ts'
import type { PassName, Walked } from '../domain/recovery.ts'
import type { DynamoCalls } from './wire/dynamo-calls.ts'

/** How far a pass of recovery has come. */
export const cursorOf = async (
  dynamo: Pick<DynamoCalls, 'getItem'>,
  TableName: string,
  pass: PassName,
): Promise<Walked | undefined> => {
  const item = await dynamo.getItem({ TableName, Key: cursorKey(pass), ConsistentRead: true })
  if (!item) return undefined
  const { position, since, days } = item as unknown as Walked & Partial<EventDays>
  return { position, ...(since !== undefined && days && { days: { since, days } }) }
}

export const cursorKey = (pass: PassName) => ({ fingerprint: `recovery#${pass}` })
