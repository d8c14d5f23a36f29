import { BODY_RETENTION_DAYS, bodyPrefix } from '../contract/tables.ts'
import type { Fingerprint } from '../domain/brands.ts'
import type { ErasureStore } from '../domain/erasure.ts'
import { answered } from '../domain/fault.ts'
import { erase, forgetSaid } from '../domain/protocol.ts'
import type { Audit } from '../domain/replay.ts'
import { auditItem, auditKey, auditName, readAudits, refusal } from './dynamodb-replays.ts'
import { at, keyCondition, update } from './expressions.ts'
import { handedOverOf } from './handed-over-bodies.ts'
import { BLANK_OBJECT, blankItem } from './s3-and-dynamodb-bodies.ts'
import type { DynamoCalls, Item } from './wire/dynamo-calls.ts'
import type { ObjectCalls } from './wire/object-calls.ts'

interface Aws {
  readonly dynamo: DynamoCalls
  readonly objects: Pick<ObjectCalls, 'put' | 'list'>
}

interface Names {
  readonly eventsTable: string
  readonly bodiesTable: string
  readonly bodiesBucket: string
}

/** Personal data in the records, in the audits and in both places of bodies. */
export const erasures = ({ dynamo, objects }: Aws, names: Names): ErasureStore => ({
  async mark(seen, copies, by, act) {
    const table = names.eventsTable
    const { fingerprint, status, generation } = seen
    const was = status as Audit['was']
    const audit: Audit = {
      fingerprint,
      generation,
      act: 'erase',
      was,
      ...act,
      at: by.now,
      fence: by.fence,
      before: null,
    }
    const writes = [seen, ...copies].map(record => ({
      Update: {
        ...update(table, { fingerprint: record.fingerprint }, erase, {
          fence: by.fence,
          erasedAt: by.now,
          seenStatus: record.status,
          seenGeneration: record.generation,
          ...at(by.now),
        }),
      },
    }))
    const TransactItems = [...writes, { Put: { TableName: table, Item: auditItem(audit) } }]
    const answer = await answered(dynamo.transactWriteItems({ ClientRequestToken: by.fence, TransactItems }))
    if (answer.kind === 'written') return { kind: 'moved' }
    // It was refused, or nobody knows: it is ours all the same if the audit bears our fence.
    const [ours] = await readAudits(dynamo, table, fingerprint, ['erased']).catch(() => [])
    if (ours?.fence === by.fence) return { kind: 'moved' }
    return answer.kind === 'unavailable' ? answer : refusal(answer)
  },

  async forgetBodies({ fingerprint, expiresAt }) {
    const [items, objectsFound] = await Promise.all([
      itemsOf(dynamo, names.bodiesTable, fingerprint),
      Promise.all(
        [handedOverOf(fingerprint), ...BODY_RETENTION_DAYS.map(days => `${bodyPrefix(days)}${fingerprint}/`)].map(
          prefix => objects.list(names.bodiesBucket, prefix),
        ),
      ),
    ])
    // Those that an erasure has overwritten before are left out, so one that was cut off goes on where it stopped.
    const keys = objectsFound.flat().flatMap(({ key, size }) => (size > BLANK_OBJECT.bytes.length ? key : []))
    await someAtATime(items, sha256 =>
      dynamo.updateItem(blankItem(names.bodiesTable, { fingerprint, sha256 }, expiresAt)),
    )
    await someAtATime(keys, key => objects.put(names.bodiesBucket, key, BLANK_OBJECT))
    return items.length + keys.length
  },

  async forgetSaid(audits) {
    for (const audit of audits) {
      if (!audit.before?.says) continue
      const key = { fingerprint: auditKey(audit.fingerprint, auditName(audit)) }
      const before = { ...audit.before, says: null }
      await dynamo.updateItem(update(names.eventsTable, key, forgetSaid, { before, fence: audit.fence }))
    }
  },
})

const AT_A_TIME = 10

const someAtATime = async <Each>(all: readonly Each[], act: (each: Each) => Promise<unknown>): Promise<void> => {
  for (let from = 0; from < all.length; from += AT_A_TIME) await Promise.all(all.slice(from, from + AT_A_TIME).map(act))
}

/** The hashes of the bodies in the table that are not blank, of whatever length. */
const itemsOf = async (
  dynamo: Pick<DynamoCalls, 'query'>,
  table: string,
  fingerprint: Fingerprint,
): Promise<readonly string[]> => {
  const condition = keyCondition(['fingerprint', fingerprint], ['sha256', { from: '0' }])
  const found: string[] = []
  let ExclusiveStartKey: Item | undefined
  do {
    const page = await dynamo.query({ TableName: table, ...condition, ...(ExclusiveStartKey && { ExclusiveStartKey }) })
    found.push(...page.items.flatMap(({ sha256, erased }) => (erased ? [] : String(sha256))))
    ExclusiveStartKey = page.lastKey
  } while (ExclusiveStartKey)
  return found
}
