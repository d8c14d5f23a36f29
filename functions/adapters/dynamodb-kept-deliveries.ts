import { type Millis, toSeconds } from '../domain/brands.ts'
import { answered } from '../domain/fault.ts'
import type { KeptDeliveries, KeptDelivery, KeptFor } from '../domain/kept-delivery.ts'
import { type Packed, pack, unpack } from '../domain/packing.ts'
import { keepDelivery } from '../domain/protocol.ts'
import { isExpired } from '../domain/record.ts'
import { keyCondition, update } from './expressions.ts'
import type { DynamoCalls, Item } from './wire/dynamo-calls.ts'

interface Names {
  readonly bodiesTable: string
}

/** Deliveries that are kept to be looked at: in the table of the bodies, with the same permission and the same way to expire. */
export const dynamodbKeptDeliveries = (
  aws: { readonly dynamo: Pick<DynamoCalls, 'updateItem' | 'query' | 'getItem'> },
  names: Names,
): KeptDeliveries => {
  async function* each(...[keptFor, source, from, now, most]: [...Parameters<KeptDeliveries['each']>, number?]) {
    const since = { from: new Date(from).toISOString() }
    const condition = keyCondition(['fingerprint', partitionOf(keptFor, source)], ['sha256', since])
    let ExclusiveStartKey: Item | undefined
    do {
      const { items, lastKey } = await aws.dynamo.query({
        TableName: names.bodiesTable,
        ...condition,
        ScanIndexForward: false,
        ...(most !== undefined && { Limit: most }),
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      })
      for (const item of items) yield* alive(item, source, now)
      ExclusiveStartKey = lastKey
    } while (ExclusiveStartKey)
  }

  return {
    ...deliveryKeeping(aws, names),
    each,

    async list(keptFor, source, from, now, limit) {
      const found: KeptDelivery[] = []
      for await (const delivery of each(keptFor, source, from, now, limit)) {
        if (found.push(delivery) === limit) break
      }
      return found
    },

    async fetch(keptFor, source, key, now) {
      const Key = keyOf(keptFor, source, key)
      const item = await aws.dynamo.getItem({ TableName: names.bodiesTable, Key, ConsistentRead: true })
      return item && alive(item, source, now)[0]
    },
  }
}

/** The part of it for a receiver, whose role may update and nothing else. */
export const deliveryKeeping = (
  { dynamo }: { readonly dynamo: Pick<DynamoCalls, 'updateItem'> },
  { bodiesTable }: Names,
): Pick<KeptDeliveries, 'keep'> => ({
  async keep(keptFor, { body, source, key, expiresAt, ...rest }) {
    const said = { ...pack(body), delivery: JSON.stringify(rest), expiresAt }
    const answer = await answered(
      dynamo.updateItem(update(bodiesTable, keyOf(keptFor, source, key), keepDelivery, said)),
    )
    return answer.kind === 'unavailable' ? answer : { kind: 'kept' }
  },
})

const partitionOf = (keptFor: KeptFor, source: string): string => `${keptFor}:${source}`

const keyOf = (keptFor: KeptFor, source: string, key: string): Item => ({
  fingerprint: partitionOf(keptFor, source),
  sha256: key,
})

const alive = (item: Item, source: string, now: Millis): KeptDelivery[] => {
  const { delivery, expiresAt, sha256: key } = item as unknown as Stored
  if (isExpired({ expiresAt }, toSeconds(now))) return []
  return [{ ...JSON.parse(delivery), source, key, expiresAt, body: unpack(item as unknown as Packed) }]
}

type Stored = Pick<KeptDelivery, 'expiresAt'> & {
  readonly sha256: string
  /** In JSON: all of it but its body and what stands beside it. */
  readonly delivery: string
}
