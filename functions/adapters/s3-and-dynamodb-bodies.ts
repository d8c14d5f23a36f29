import { BODY_RETENTION_DAYS, bodyPrefix } from '../contract/tables.ts'
import { type Millis, type Seconds, seconds, toSeconds } from '../domain/brands.ts'
import { answered } from '../domain/fault.ts'
import { packKeptBody, unpackKeptBody } from '../domain/kept-body.ts'
import type { Packed } from '../domain/packing.ts'
import type { BodyStore, KeepAnswer, KeptBody } from '../domain/ports.ts'
import { blankBody, keepBody } from '../domain/protocol.ts'
import { isExpired } from '../domain/record.ts'
import { at, update } from './expressions.ts'
import type { DynamoCalls, Item, UpdateItem } from './wire/dynamo-calls.ts'
import type { ObjectCalls, StoredObject } from './wire/object-calls.ts'

/** $0.625 a million for each KB in DynamoDB, $5.00 a million for any size in S3: even at 8 KB. */
const DYNAMODB_BYTES = 8_192
const DAY_SECONDS = 86_400

interface Names {
  readonly bodiesTable: string
  readonly bodiesBucket: string
}

/** Small bodies in DynamoDB, large ones in S3; the place a body went to is remembered in its record. */
export const keptBodies = (aws: Keeping & Fetching, names: Names): BodyStore => ({
  ...bodyKeeping(aws, names),
  ...bodyFetching(aws, names),
})

interface Keeping {
  readonly dynamo: Pick<DynamoCalls, 'updateItem'>
  readonly objects: Pick<ObjectCalls, 'putNew' | 'put'>
}

/** The part of it for those who only keep. */
export const bodyKeeping = (
  { dynamo, objects }: Keeping,
  { bodiesTable, bodiesBucket }: Names,
): Pick<BodyStore, 'keep' | 'discard'> => {
  /** `undefined`: a blank item stands there until it ends. */
  const inTable = async ({ fingerprint, sha256 }: KeptBody, packed: Packed, now: Millis, expiresAt: Seconds) => {
    const keeping = update(bodiesTable, { fingerprint, sha256 }, keepBody, { ...packed, expiresAt, ...at(now) })
    const written = await dynamo.updateItem({ ...keeping, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })
    return written.kind !== 'written' && written.item?.erased ? undefined : ({ kind: 'kept', at: 'dynamodb' } as const)
  }
  /** One object a day, however often a delivery is repeated. What is there may be blank, and whoever receives may not read it. */
  const inBucket = async ({ fingerprint, sha256 }: KeptBody, packed: Packed, place: Place, unclaimed: boolean) => {
    const key = objectKey(place, fingerprint, sha256)
    const metadata = { compressed: String(packed.compressed), 'expires-at': String(place.endsAt) }
    const object = { bytes: packed.bytes, metadata }
    const kept = { kind: 'kept', at: placeText(place) } as const
    if ((await objects.putNew(bodiesBucket, key, object)) === 'written') return kept
    if (unclaimed) return { ...kept, mayBeBlank: true } as const
    await objects.put(bodiesBucket, key, object)
    return kept
  }
  const keptIn = async (
    ...[body, now, expiresAt, { readAt, unclaimed = false } = {}]: Parameters<BodyStore['keep']>
  ): Promise<KeepAnswer> => {
    const packed = packKeptBody(body)
    const isSmall = packed.bytes.length <= DYNAMODB_BYTES
    const small = isSmall ? await inTable(body, packed, now, expiresAt) : undefined
    if (small) return small
    const place = placeFor(now, expiresAt)
    if (readAt && readAt !== 'dynamodb' && readPlace(readAt).endsAt >= place.endsAt) return { kind: 'kept', at: readAt }
    // The same bytes of an erased event: only whoever owns a new one has a place for them in the bucket.
    if (isSmall && unclaimed) return { kind: 'kept', at: 'dynamodb', mayBeBlank: true }
    return inBucket(body, packed, place, unclaimed)
  }
  const discarded = async (...[fingerprint, sha256, at, expiresAt]: Parameters<BodyStore['discard']>) => {
    if (at === 'dynamodb') await dynamo.updateItem(blankItem(bodiesTable, { fingerprint, sha256 }, expiresAt))
    else await objects.put(bodiesBucket, objectKey(readPlace(at), fingerprint, sha256), BLANK_OBJECT)
    return { kind: 'discarded' } as const
  }
  return { keep: (...kept) => answered(keptIn(...kept)), discard: (...kept) => answered(discarded(...kept)) }
}

/** Overwritten and not deleted: nobody in here may delete, and a repeat does not keep the same bytes a second time while their event is remembered. */
export const blankItem = (table: string, key: Item, expiresAt: Seconds): UpdateItem =>
  update(table, key, blankBody, { erased: true, expiresAt })

/** It has ended long ago. One byte, because the S3 of a laptop takes no empty body. */
export const BLANK_OBJECT: StoredObject = {
  bytes: Uint8Array.of(0),
  metadata: { compressed: 'false', 'expires-at': '0' },
}

interface Fetching {
  readonly dynamo: Pick<DynamoCalls, 'getItem'>
  readonly objects: Pick<ObjectCalls, 'get'>
}

/** And for those who only read. */
export const bodyFetching = (
  { dynamo, objects }: Fetching,
  { bodiesTable, bodiesBucket }: Names,
): Pick<BodyStore, 'fetch'> => ({
  async fetch(fingerprint, sha256, at, now) {
    const found =
      at === 'dynamodb'
        ? await fromTable(dynamo, bodiesTable, fingerprint, sha256)
        : await fromBucket(objects, bodiesBucket, objectKey(readPlace(at), fingerprint, sha256))
    if (!found || isExpired(found, toSeconds(now))) return undefined
    return unpackKeptBody(found, fingerprint, sha256)
  },
})

type Found = Packed & { readonly expiresAt: Seconds }

const fromTable = async (
  dynamo: Fetching['dynamo'],
  table: string,
  fingerprint: string,
  sha256: string,
): Promise<Found | undefined> => {
  const found = await dynamo.getItem({ TableName: table, Key: { fingerprint, sha256 }, ConsistentRead: true })
  return found?.erased ? undefined : (found as Found | undefined)
}

const fromBucket = async (objects: Fetching['objects'], bucket: string, key: string): Promise<Found | undefined> => {
  const found = await objects.get(bucket, key)
  return (
    found && {
      bytes: found.bytes,
      compressed: found.metadata.compressed === 'true',
      expiresAt: seconds(Number(found.metadata['expires-at'])),
    }
  )
}

/** Where in the bucket: the shortest class that is long enough, and the UTC day it was filed on. Some releases wrote the instant. */
interface Place {
  readonly days: number
  readonly filed: string
  /** S3 counts whole days from the midnight after the upload, and so do we. */
  readonly endsAt: Seconds
}

const placeFor = (now: Millis, expiresAt: Seconds): Place => {
  const days = (expiresAt - toSeconds(now)) / DAY_SECONDS
  const fitting = BODY_RETENTION_DAYS.find(candidate => candidate >= days)
  if (fitting === undefined) throw new RangeError(`a body cannot be kept for ${days} days`)
  return placeOf(fitting, new Date(now).toISOString().slice(0, 10))
}

const placeOf = (days: number, filed: string): Place => ({
  days,
  filed,
  endsAt: seconds(Date.parse(filed.slice(0, 10)) / 1000 + (days + 1) * DAY_SECONDS),
})

const placeText = ({ days, filed }: Place): string => `s3:${days}d:${filed}`

const readPlace = (at: string): Place => {
  const [, days = '', filed = ''] = /^s3:(\d+)d:([\d-]+)$/.exec(at) ?? []
  return placeOf(Number(days), filed)
}

const objectKey = ({ days, filed }: Place, fingerprint: string, sha256: string): string =>
  `${bodyPrefix(days)}${fingerprint}/${sha256}/${filed}`
