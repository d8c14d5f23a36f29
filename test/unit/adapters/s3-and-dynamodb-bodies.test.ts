import { randomBytes } from 'node:crypto'
import { ConditionalCheckFailedException, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { keptBodies } from '../../../functions/adapters/s3-and-dynamodb-bodies.ts'
import { sdkDynamo } from '../../../functions/adapters/sdk/dynamo.ts'
import { sdkObjects } from '../../../functions/adapters/sdk/objects.ts'
import { type Fingerprint, seconds } from '../../../functions/domain/brands.ts'
import { sha256 } from '../../../functions/domain/identity.ts'
import type { KeepHow } from '../../../functions/domain/ports.ts'
import { NOON } from '../../support/events.ts'

const dynamodb = mockClient(DynamoDBDocumentClient)
const s3 = mockClient(S3Client)
// Other files of this process speak to a server.
afterAll(() => {
  dynamodb.restore()
  s3.restore()
})
const aws = {
  dynamo: sdkDynamo(DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' }))),
  objects: sdkObjects(new S3Client({ region: 'us-east-1' })),
}
const bodies = keptBodies(aws, { bodiesTable: 'bodies', bodiesBucket: 'bucket' })

const FINGERPRINT = 'f'.repeat(64) as Fingerprint
const IN_A_WEEK = seconds(NOON / 1000 + 7 * 86_400)

const keep = (size: number, how: KeepHow = {}) => {
  const bytes = randomBytes(size)
  const body = { fingerprint: FINGERPRINT, sha256: sha256(bytes), bytes, eventId: 'e', headers: {}, ordering: null }
  return { digest: body.sha256, answer: bodies.keep(body, NOON, IN_A_WEEK, how) }
}

beforeEach(() => {
  dynamodb.reset()
  s3.reset()
})

describe('a small body', () => {
  it('a small body is one update that leaves what is there as it is and only ever lengthens its life', async () => {
    dynamodb.on(UpdateCommand).resolves({})
    const { answer, digest } = keep(100)
    expect(await answer).toEqual({ kind: 'kept', at: 'dynamodb' })
    expect(dynamodb.calls()).toHaveLength(1)
    expect(dynamodb.commandCalls(UpdateCommand)[0]?.args[0].input).toMatchObject({
      Key: { fingerprint: FINGERPRINT, sha256: digest },
      UpdateExpression:
        'SET expiresAt = :expiresAt, #bytes = if_not_exists(#bytes, :bytes), compressed = if_not_exists(compressed, :compressed) REMOVE erased',
      ConditionExpression:
        'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR (attribute_not_exists(erased) AND expiresAt < :expiresAt)',
      ExpressionAttributeValues: { ':expiresAt': IN_A_WEEK, ':bytes': expect.any(Uint8Array), ':compressed': false },
    })
  })

  it('a small body that is kept for longer already is answered as kept', async () => {
    dynamodb.on(UpdateCommand).rejects(new ConditionalCheckFailedException({ message: 'no', $metadata: {} }))
    expect(await keep(100).answer).toEqual({ kind: 'kept', at: 'dynamodb' })
  })
})

describe('a large body', () => {
  it('a large body is filed once, under its class and day, until the midnight after its last day', async () => {
    s3.on(PutObjectCommand).resolves({})
    const { answer, digest } = keep(20_000)
    expect(await answer).toEqual({ kind: 'kept', at: 's3:7d:2026-11-15' })
    expect(s3.commandCalls(PutObjectCommand)[0]?.args[0].input).toMatchObject({
      Key: `7d/${FINGERPRINT}/${digest}/2026-11-15`,
      IfNoneMatch: '*',
      Metadata: { 'expires-at': String(Date.UTC(2026, 10, 23) / 1000) },
    })
  })

  const there = new S3ServiceException({
    name: 'PreconditionFailed',
    $fault: 'client',
    $metadata: { httpStatusCode: 412 },
  })
  const conditions = () => s3.commandCalls(PutObjectCommand).map(({ args: [{ input }] }) => input.IfNoneMatch)

  it('a large body that was filed on that day before is not written again before its claim, and may be blank', async () => {
    s3.on(PutObjectCommand).rejects(there)
    const kept = { kind: 'kept', at: 's3:7d:2026-11-15', mayBeBlank: true }
    expect(await keep(20_000, { unclaimed: true }).answer).toEqual(kept)
    expect(conditions()).toEqual(['*'])
  })

  it('a large body that was filed on that day before is written over by the owner of its event', async () => {
    s3.on(PutObjectCommand).rejectsOnce(there).resolves({})
    expect(await keep(20_000).answer).toEqual({ kind: 'kept', at: 's3:7d:2026-11-15' })
    expect(conditions()).toEqual(['*', undefined])
  })

  it.each(['2026-11-15', '2026-11-15-12-00-00-000'])('a large body is looked for as it was filed: %s', async filed => {
    s3.on(GetObjectCommand).rejects(new NoSuchKey({ message: 'gone', $metadata: {} }))
    expect(await bodies.fetch(FINGERPRINT, sha256(Buffer.of()), `s3:7d:${filed}`, NOON)).toBeUndefined()
    expect(s3.commandCalls(GetObjectCommand)[0]?.args[0].input.Key).toBe(
      `7d/${FINGERPRINT}/${sha256(Buffer.of())}/${filed}`,
    )
  })

  it('a large body that S3 does not take is unavailable', async () => {
    s3.on(PutObjectCommand).rejects(new Error('SlowDown'))
    expect((await keep(20_000).answer).kind).toBe('unavailable')
  })
})
