import { BODY_RETENTION_DAYS, bodyPrefix } from '../contract/tables.ts'
import { type Millis, type Seconds, seconds, toSeconds } from '../domain/brands.ts'
import { packKeptBody, unpackKeptBody } from '../domain/kept-body.ts'
import type { Packed } from '../domain/packing.ts'
import type { BodyStore, KeptBody } from '../domain/ports.ts'
import { isExpired } from '../domain/record.ts'
import { unavailable } from './fault.ts'
import type { AwsCalls } from './wire/aws-calls.ts'

/** $0.625 a million for each KB in DynamoDB, $5.00 a million for any size in S3: even at 8 KB. */
const DYNAMODB_BYTES = 8_192
const DAY_SECONDS = 86_400

export interface BodyPlaces {
  readonly table: string
  readonly bucket: string
}

type Calls = Pick<AwsCalls, 'dynamo' | 'objects'>

/** Small bodies in DynamoDB, large ones in S3; the place a body went to is remembered in its record. */
export const bodiesOver = ({ dynamo, objects }: Calls, { table, bucket }: BodyPlaces): BodyStore => ({
  async keep(body, now, expiresAt) {
    const packed = packKeptBody(body)
    try {
      if (packed.bytes.length <= DYNAMODB_BYTES) {
        await keepInTable(dynamo, table, body, packed, expiresAt)
        return { kind: 'kept', at: 'dynamodb' }
      }
      const place = placeFor(now, expiresAt)
      await keepInBucket(objects, bucket, objectKey(place, body.fingerprint, body.sha256), packed, place)
      return { kind: 'kept', at: placeText(place) }
    } catch (error) {
      return unavailable(error)
    }
  },

  async fetch(fingerprint, sha256, at, now) {
    const found =
      at === 'dynamodb'
        ? await fromTable(dynamo, table, fingerprint, sha256)
        : await fromBucket(objects, bucket, objectKey(readPlace(at), fingerprint, sha256))
    if (!found || isExpired(found, toSeconds(now))) return undefined
    return unpackKeptBody(found, fingerprint, sha256)
  },
})

/** What is there stays as it is, and only ever lives longer: a repeat can neither change a kept body nor cut its life. */
const keepInTable = async (
  dynamo: Calls['dynamo'],
  table: string,
  { fingerprint, sha256 }: KeptBody,
  packed: Packed,
  expiresAt: Seconds,
): Promise<void> => {
  await dynamo.updateItem({
    TableName: table,
    Key: { fingerprint, sha256 },
    UpdateExpression:
      'SET #bytes = if_not_exists(#bytes, :bytes), compressed = if_not_exists(compressed, :compressed), expiresAt = :expiresAt',
    ConditionExpression: 'attribute_not_exists(expiresAt) OR expiresAt < :expiresAt',
    ExpressionAttributeNames: { '#bytes': 'bytes' },
    ExpressionAttributeValues: {
      ':bytes': packed.bytes,
      ':compressed': packed.compressed,
      ':expiresAt': expiresAt,
    },
  })
}

/** Objects of one day and class have one name and one end, so whoever comes first has said it all. */
const keepInBucket = async (
  objects: Calls['objects'],
  bucket: string,
  key: string,
  { bytes, compressed }: Packed,
  { endsAt }: Place,
): Promise<void> => {
  const metadata = { compressed: String(compressed), 'expires-at': String(endsAt) }
  await objects.putNew(bucket, key, { bytes, metadata })
}

type Found = Packed & { readonly expiresAt: Seconds }

const fromTable = async (
  dynamo: Calls['dynamo'],
  table: string,
  fingerprint: string,
  sha256: string,
): Promise<Found | undefined> =>
  (await dynamo.getItem({ TableName: table, Key: { fingerprint, sha256 }, ConsistentRead: true })) as Found | undefined

const fromBucket = async (objects: Calls['objects'], bucket: string, key: string): Promise<Found | undefined> => {
  const found = await objects.get(bucket, key)
  return (
    found && {
      bytes: found.bytes,
      compressed: found.metadata.compressed === 'true',
      expiresAt: seconds(Number(found.metadata['expires-at'])),
    }
  )
}

/** Where in the bucket: the shortest class that is long enough, and the UTC day it was filed. */
interface Place {
  readonly days: number
  readonly day: string
  /** S3 counts whole days from the midnight after the upload, and so do we. */
  readonly endsAt: Seconds
}

const placeFor = (now: Millis, expiresAt: Seconds): Place => {
  const days = (expiresAt - toSeconds(now)) / DAY_SECONDS
  const fitting = BODY_RETENTION_DAYS.find(candidate => candidate >= days)
  if (fitting === undefined) throw new RangeError(`a body cannot be kept for ${days} days`)
  return placeOf(fitting, new Date(now).toISOString().slice(0, 10))
}

const placeOf = (days: number, day: string): Place => ({
  days,
  day,
  endsAt: seconds(Date.parse(day) / 1000 + (days + 1) * DAY_SECONDS),
})

const placeText = ({ days, day }: Place): string => `s3:${days}d:${day}`

const readPlace = (at: string): Place => {
  const [, days = '', day = ''] = /^s3:(\d+)d:([\d-]+)$/.exec(at) ?? []
  return placeOf(Number(days), day)
}

const objectKey = ({ days, day }: Place, fingerprint: string, sha256: string): string =>
  `${bodyPrefix(days)}${fingerprint}/${sha256}/${day}`
