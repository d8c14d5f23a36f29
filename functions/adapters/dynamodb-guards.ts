import type { Fingerprint, Millis } from '../domain/brands.ts'
import { guard as guardEvent, inheritGuard } from '../domain/protocol.ts'
import type { EventRecord } from '../domain/record.ts'
import { at, put } from './expressions.ts'
import type { DynamoCalls, Item, PutItem } from './wire/dynamo-calls.ts'

type Guarded = Pick<EventRecord, 'fingerprint' | 'expiresAt'>

/** The item that says which event something signed belongs to. It lives as long as the record that names it. */
export const guardPut = (
  table: string,
  guard: Fingerprint,
  { fingerprint, expiresAt }: Guarded,
  now: Millis,
): PutItem =>
  put(table, { fingerprint: guard, guards: fingerprint, expiresAt }, guardEvent, { fingerprint, ...at(now) })

/** From an event that is gone: the guard as it was found says which. */
export const guardInherited = (
  table: string,
  { guards, expiresAt: seenExpiresAt }: Item,
  { guard, fingerprint, expiresAt, claimedAt }: EventRecord,
): PutItem => {
  const values = { fingerprint, seenGuards: guards, seenExpiresAt, ...at(claimedAt) }
  return put(table, { fingerprint: guard, guards: fingerprint, expiresAt }, inheritGuard, values)
}

/** As long as its record from now on. One that belongs to another event by now stays as it is. */
export const extendGuard = async (
  dynamo: Pick<DynamoCalls, 'putItem'>,
  table: string,
  record: Guarded & Pick<EventRecord, 'guard'>,
  now: Millis,
): Promise<void> => {
  if (record.guard !== null) await dynamo.putItem(guardPut(table, record.guard, record, now))
}
