import { GetObjectCommand, NoSuchKey, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { BODY_RETENTION_DAYS, bodyPrefix } from '../contract/tables.ts'
import { type Millis, type Seconds, seconds, toSeconds } from '../domain/brands.ts'
import { packKeptBody, unpackKeptBody } from '../domain/kept-body.ts'
import type { Packed } from '../domain/packing.ts'
import type { BodyStore } from '../domain/ports.ts'
import { isExpired } from '../domain/record.ts'
import { unavailable } from './fault.ts'

/** $0.625 a million for each KB in DynamoDB, $5.00 a million for any size in S3: even at 8 KB. */
const DYNAMODB_BYTES = 8_192
const DAY_SECONDS = 86_400

export interface BodyPlaces {
  readonly dynamodb: DynamoDBDocumentClient
  readonly table: string
  readonly s3: S3Client
  readonly bucket: string
}

/** Small bodies in DynamoDB, large ones in S3; the place a body went to is remembered in its record. */
export const awsBodies = ({ dynamodb, table, s3, bucket }: BodyPlaces): BodyStore => ({
  async keep(body, now, expiresAt) {
    const packed = packKeptBody(body)
    try {
      if (packed.bytes.length <= DYNAMODB_BYTES) {
        const { fingerprint, sha256 } = body
        const Item = { fingerprint, sha256, compressed: packed.compressed, bytes: packed.bytes, expiresAt }
        await dynamodb.send(new PutCommand({ TableName: table, Item }))
        return { kind: 'kept', at: 'dynamodb' }
      }
      const days = retentionClass(now, expiresAt)
      await s3.send(
        new PutObjectCommand({
          Bucket: bucket,
          Key: objectKey(days, body.fingerprint, body.sha256),
          Body: packed.bytes,
          Metadata: { compressed: String(packed.compressed), 'expires-at': String(expiresAt) },
        }),
      )
      return { kind: 'kept', at: `s3:${days}d` }
    } catch (error) {
      return unavailable(error)
    }
  },

  async fetch(fingerprint, sha256, at, now) {
    const found =
      at === 'dynamodb'
        ? await fromTable(dynamodb, table, fingerprint, sha256)
        : await fromBucket(s3, bucket, objectKey(daysOf(at), fingerprint, sha256))
    if (!found || isExpired(found, toSeconds(now))) return undefined
    return unpackKeptBody(found, fingerprint, sha256)
  },
})

type Found = Packed & { readonly expiresAt: Seconds }

const fromTable = async (
  client: DynamoDBDocumentClient,
  table: string,
  fingerprint: string,
  sha256: string,
): Promise<Found | undefined> => {
  const command = new GetCommand({ TableName: table, Key: { fingerprint, sha256 }, ConsistentRead: true })
  return (await client.send(command)).Item as Found | undefined
}

const fromBucket = async (client: S3Client, bucket: string, key: string): Promise<Found | undefined> => {
  try {
    const { Body, Metadata } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
    return {
      bytes: (await Body?.transformToByteArray()) ?? new Uint8Array(),
      compressed: Metadata?.compressed === 'true',
      expiresAt: seconds(Number(Metadata?.['expires-at'])),
    }
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined
    throw error
  }
}

/** The shortest class that is long enough; S3 counts from the day after the upload, which only adds to it. */
const retentionClass = (now: Millis, expiresAt: Seconds): number => {
  const days = (expiresAt - toSeconds(now)) / DAY_SECONDS
  const fitting = BODY_RETENTION_DAYS.find(candidate => candidate >= days)
  if (fitting === undefined) throw new RangeError(`a body cannot be kept for ${days} days`)
  return fitting
}

const objectKey = (days: number, fingerprint: string, sha256: string): string =>
  `${bodyPrefix(days)}${fingerprint}/${sha256}`

const daysOf = (at: string): number => Number(/^s3:(\d+)d$/.exec(at)?.[1])
