import type { Millis } from '../domain/brands.ts'
import { advance, extendMark } from '../domain/protocol.ts'
import { asNumber, asStored, sortsAs } from '../domain/version.ts'
import type { Mark, Write } from '../domain/work.ts'
import { at, put, update } from './expressions.ts'
import type { DynamoCalls, Item, PutItem } from './wire/dynamo-calls.ts'

type Dynamo = Pick<DynamoCalls, 'putItem' | 'updateItem'>

/** Writes a mark, or learns that it is stale. Either way the one that is there then lives as long as the other. */
export const advanceMark = async (
  dynamo: Dynamo,
  table: string,
  mark: Mark,
  now: Millis,
): Promise<{ readonly kind: 'newest' | 'stale' }> => {
  const putting = markPut(table, mark, now)
  const { kind, item: found } = await dynamo.putItem({ ...putting, ReturnValues: 'ALL_OLD' })
  const isNewest = kind === 'written'
  await (isNewest ? outlive(dynamo, table, putting.Item, found) : outlive(dynamo, table, found, putting.Item))
  return { kind: isNewest ? 'newest' : 'stale' }
}

/** For a write that was refused in a commit, if it was one of a mark. */
export const outliveRefused = async (
  dynamo: Dynamo,
  table: string,
  { Put }: Write,
  found: Item | undefined,
): Promise<void> => {
  const refused = Put?.TableName === table ? (Put.Item as Item) : undefined
  if (String(refused?.fingerprint).startsWith(NEWEST)) await outlive(dynamo, table, found, refused)
}

/** `version` is what version 0.1 would have stored: a worker that is still on it, or again, goes on comparing that. */
export const markPut = (table: string, { key, version: given, by, expiresAt }: Mark, now: Millis): PutItem => {
  const version = asStored(given)
  const item = { fingerprint: NEWEST + key, version, sortsAs: sortsAs(given), broughtBy: by, expiresAt }
  return put(table, item, advance, {
    ...item,
    versionNumber: asNumber(given),
    versionText: String(given),
    by,
    ...at(now),
  })
}

const NEWEST = 'newest#'

const outlive = async (
  dynamo: Dynamo,
  table: string,
  there: Item | undefined,
  other: Item | undefined,
): Promise<void> => {
  if (!other || Number(there?.expiresAt) >= Number(other.expiresAt)) return
  const { fingerprint, expiresAt } = other
  await dynamo.updateItem(update(table, { fingerprint }, extendMark, { expiresAt }))
}
