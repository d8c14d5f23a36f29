import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  InternalServerError,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb'
import {
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { marshall } from '@aws-sdk/util-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { eventClaims, eventMoves } from '../../../functions/adapters/dynamodb-events.ts'
import { toItem } from '../../../functions/adapters/event-items.ts'
import { sdkDynamo } from '../../../functions/adapters/sdk/dynamo.ts'
import { randomFence } from '../../../functions/adapters/system.ts'
import { type Fence, type Fingerprint, millis, type Sha256, seconds } from '../../../functions/domain/brands.ts'
import { clip } from '../../../functions/domain/record.ts'
import { anyFence, claimedRecord, NOON } from '../../support/events.ts'

const dynamodb = mockClient(DynamoDBDocumentClient)
// Other files of this process speak to a server.
afterAll(() => {
  dynamodb.restore()
})
const aws = { dynamo: sdkDynamo(DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'us-east-1' }))) }
const names = { eventsTable: 'events' }
const store = { ...eventClaims(aws, names), ...eventMoves(aws, names) }

const FINGERPRINT = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' as Fingerprint
const FENCE = '0123456789abcdef0123456789abcdef' as Fence
const RECORD = claimedRecord(NOON, { fingerprint: FINGERPRINT, fence: FENCE })
const METADATA = { $metadata: {}, message: 'no' }

const refused = (item?: Record<string, unknown>) =>
  new ConditionalCheckFailedException({ ...METADATA, ...(item && { Item: marshall(item) }) })

beforeEach(() => dynamodb.reset())

describe('the claim', () => {
  it('a claim is one conditional PutItem that asks for the old item, with the TTL in whole seconds', async () => {
    dynamodb.on(PutCommand).resolves({})
    expect(await store.claim(RECORD)).toEqual({ kind: 'won', record: RECORD })
    expect(dynamodb.calls()).toHaveLength(1)
    expect(dynamodb.call(0).args[0].input).toEqual({
      TableName: 'events',
      Item: {
        fingerprint: FINGERPRINT,
        source: 'stripe',
        eventId: 'evt_1',
        type: 'invoice.paid',
        status: 'claimed',
        generation: 0,
        fence: FENCE,
        leaseUntil: 1_794_744_015_000,
        firstSeenAt: 1_794_744_000_000,
        updatedAt: 1_794_744_000_000,
        claimedAt: '2026-11-15T12:00:00.000Z#9f86d081884c7d65',
        listing: '2026-11-15#9',
        attempts: 0,
        bodySha256: 'a'.repeat(64),
        bodySize: 120,
        bodySigned: true,
        correlationId: 'request-1',
        expiresAt: 1_797_336_000,
      },
      ConditionExpression:
        'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR (#status = :claimed AND fence = :fence)',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':claimed': 'claimed', ':fence': FENCE, ':nowSeconds': 1_794_744_000 },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
  })

  it('a claim that is lost reads the winner from the refusal, with no second call', async () => {
    const winner = { ...RECORD, fence: anyFence() }
    dynamodb.on(PutCommand).rejects(refused(toItem(winner)))
    expect(await store.claim(RECORD)).toEqual({ kind: 'lost', existing: winner })
    expect(dynamodb.calls()).toHaveLength(1)
  })

  it('a claim that is lost without the item asks for it, strongly consistent', async () => {
    dynamodb.on(PutCommand).rejects(refused())
    dynamodb
      .on(GetCommand, { TableName: 'events', Key: { fingerprint: FINGERPRINT }, ConsistentRead: true })
      .resolves({ Item: toItem(RECORD) })
    expect(await store.claim({ ...RECORD, fence: anyFence() })).toEqual({ kind: 'lost', existing: RECORD })
  })

  it('a claim that is lost to an item that is gone when it is asked for is contended, never won', async () => {
    dynamodb.on(PutCommand).rejects(refused())
    dynamodb.on(GetCommand).resolves({})
    expect(await store.claim(RECORD)).toEqual({ kind: 'contended' })
  })

  it.each([
    new InternalServerError(METADATA),
    new ProvisionedThroughputExceededException(METADATA),
    new Error('socket hang up'),
    Object.assign(new Error('slow'), { name: 'TimeoutError' }),
  ])('a claim that gets no usable answer is unavailable, neither won nor lost: %s', async fault => {
    dynamodb.on(PutCommand).rejects(fault)
    expect((await store.claim(RECORD)).kind).toBe('unavailable')
  })
})

describe('the guarded claim', () => {
  const GUARD = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' as Fingerprint
  const GUARDED = { ...RECORD, guard: GUARD }
  const cancelled = (...reasons: { Code: string; Item?: Record<string, unknown> }[]) =>
    new TransactionCanceledException({
      ...METADATA,
      CancellationReasons: reasons.map(({ Code, Item }) => ({ Code, ...(Item && { Item: marshall(Item) }) })),
    })

  it('a guarded claim is one transaction of the event and its bytes, with the fence as client token', async () => {
    dynamodb.on(TransactWriteCommand).resolves({})
    await store.claim(GUARDED)
    expect(dynamodb.calls()).toHaveLength(1)
    const input = dynamodb.commandCalls(TransactWriteCommand)[0]?.args[0].input
    expect(input?.ClientRequestToken).toBe(FENCE)
    expect(input?.TransactItems?.[1]?.Put).toMatchObject({
      Item: { fingerprint: GUARD, guards: FINGERPRINT, expiresAt: RECORD.expiresAt },
      ConditionExpression: 'attribute_not_exists(fingerprint) OR expiresAt <= :nowSeconds OR guards = :fingerprint',
    })
  })

  it('a guarded claim that meets another transaction is contended', async () => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled({ Code: 'None' }, { Code: 'TransactionConflict' }))
    expect(await store.claim(GUARDED)).toEqual({ kind: 'contended' })
  })

  it('a guarded claim that finds its bytes taken is lost to the event that holds them', async () => {
    const other = claimedRecord(NOON, { status: 'done' })
    dynamodb
      .on(TransactWriteCommand)
      .rejects(cancelled({ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: { guards: other.fingerprint } }))
    dynamodb.on(GetCommand).resolves({ Item: toItem(other) })
    expect(await store.claim(GUARDED)).toEqual({ kind: 'lost', existing: other })
  })

  it("a guarded claim of a repeat with new bytes makes these its event's own, and costs one call more", async () => {
    const existing = { ...RECORD, guard: 'f'.repeat(64) as Fingerprint }
    dynamodb
      .on(TransactWriteCommand)
      .rejects(cancelled({ Code: 'ConditionalCheckFailed', Item: toItem(existing) }, { Code: 'None' }))
    dynamodb.on(PutCommand).resolves({})
    expect(await store.claim({ ...GUARDED, fence: anyFence() })).toEqual({ kind: 'lost', existing })
    expect(dynamodb.calls()).toHaveLength(2)
    expect(dynamodb.commandCalls(PutCommand)[0]?.args[0].input.Item).toMatchObject({
      fingerprint: GUARD,
      guards: FINGERPRINT,
    })
  })

  it.each([
    ['a new event', { Code: 'None' }],
    ['a known event', { Code: 'ConditionalCheckFailed', Item: toItem(RECORD) }],
  ])('an exclusive claim of %s with what another event holds is refused after one call', async (_, event) => {
    dynamodb
      .on(TransactWriteCommand)
      .rejects(cancelled(event, { Code: 'ConditionalCheckFailed', Item: { guards: 'another' } }))
    expect(await store.claim(GUARDED, true)).toEqual({ kind: 'taken' })
    expect(dynamodb.calls()).toHaveLength(1)
  })

  it('an exclusive claim of a repeat is refused if another event was faster to take what it brings', async () => {
    dynamodb
      .on(TransactWriteCommand)
      .rejects(cancelled({ Code: 'ConditionalCheckFailed', Item: toItem(RECORD) }, { Code: 'None' }))
    dynamodb.on(PutCommand).rejects(new ConditionalCheckFailedException(METADATA))
    expect(await store.claim(GUARDED, true)).toEqual({ kind: 'taken' })
  })

  it('a guarded claim whose bytes are held by a record that is gone inherits them, in a transaction of its own token', async () => {
    dynamodb
      .on(TransactWriteCommand)
      .rejectsOnce(
        cancelled({ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: { guards: 'gone', expiresAt: 7 } }),
      )
      .resolves({})
    dynamodb.on(GetCommand).resolves({})
    expect(await store.claim(GUARDED)).toEqual({ kind: 'won', record: GUARDED })
    const [first, second] = dynamodb.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input)
    expect(second?.ClientRequestToken).not.toBe(first?.ClientRequestToken)
    expect(second?.TransactItems?.[1]?.Put).toMatchObject({
      Item: { fingerprint: GUARD, guards: FINGERPRINT },
      ExpressionAttributeValues: { ':seenGuards': 'gone', ':seenExpiresAt': 7 },
    })
  })

  it('and DynamoDB takes that token too, since it has at most 36 characters with the fence of a function in it', async () => {
    dynamodb
      .on(TransactWriteCommand)
      .rejectsOnce(
        cancelled({ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: { guards: 'gone', expiresAt: 7 } }),
      )
      .resolves({})
    dynamodb.on(GetCommand).resolves({})
    expect((await store.claim({ ...GUARDED, fence: randomFence() })).kind).toBe('won')
    const tokens = dynamodb.commandCalls(TransactWriteCommand).map(({ args }) => args[0].input.ClientRequestToken ?? '')
    expect(new Set(tokens).size).toBe(2)
    expect(Math.max(...tokens.map(({ length }) => length))).toBeLessThanOrEqual(36)
  })

  it('a guarded claim whose bytes change hands while it looks is contended', async () => {
    dynamodb
      .on(TransactWriteCommand)
      .rejects(cancelled({ Code: 'None' }, { Code: 'ConditionalCheckFailed', Item: { guards: 'gone', expiresAt: 7 } }))
    dynamodb.on(GetCommand).resolves({})
    expect(await store.claim(GUARDED)).toEqual({ kind: 'contended' })
  })

  it('that is throttled is unavailable', async () => {
    dynamodb.on(TransactWriteCommand).rejects(cancelled({ Code: 'ThrottlingError' }, { Code: 'None' }))
    expect((await store.claim(GUARDED)).kind).toBe('unavailable')
  })
})

describe('every later write shows its fence', () => {
  const settlement = {
    now: millis(NOON + 5),
    expiresAt: seconds(1_800_000_000),
    bodySha256: 'b'.repeat(64) as Sha256,
    bodySize: 3,
    bodyAt: 'dynamodb',
  }
  const by = { fence: anyFence(), now: millis(NOON + 60_000), leaseUntil: millis(NOON + 75_000) }
  const CALLS = {
    settle: () => store.settle(RECORD, settlement),
    release: () => store.release(RECORD, NOON, 'x'),
    takeOver: () => store.takeOver(RECORD, by),
    reopen: () => store.reopen(RECORD, by, settlement),
  }

  it.each([
    ['settle', '(#status = :claimed OR #status = :queued) AND fence = :fence'],
    ['release', '#status = :claimed AND fence = :fence'],
    [
      'takeOver',
      '#status = :claimed AND ((fence = :seenFence AND leaseUntil <= :now AND expiresAt > :nowSeconds) OR fence = :fence)',
    ],
    [
      'reopen',
      '(#status = :claimed AND fence = :fence) OR (#status = :failed AND (expiresAt > :nowSeconds AND generation = :seenGeneration AND attribute_not_exists(erasedAt)))',
    ],
  ] as const)('the write %s has exactly its condition', async (name, condition) => {
    dynamodb.on(UpdateCommand).resolves({ Attributes: toItem(RECORD) })
    await CALLS[name]()
    const [call] = dynamodb.commandCalls(UpdateCommand)
    expect(call?.args[0].input.ConditionExpression).toBe(condition)
    expect(call?.args[0].input.Key).toEqual({ fingerprint: FINGERPRINT })
  })

  it.each(Object.entries(CALLS))('a refused %s is superseded, and a failed one is unavailable', async (_name, call) => {
    dynamodb.on(UpdateCommand).rejectsOnce(refused()).rejects(new InternalServerError(METADATA))
    expect(await call()).toEqual({ kind: 'superseded' })
    expect(await call()).toEqual({ kind: 'unavailable', cause: 'InternalServerError: no' })
  })

  it('an event on the way to queued writes nothing to the listing index', async () => {
    dynamodb.on(UpdateCommand).resolves({})
    await CALLS.settle()
    await CALLS.release()
    for (const call of dynamodb.commandCalls(UpdateCommand)) {
      expect(call.args[0].input.UpdateExpression).not.toMatch(/listing|claimedAt/)
    }
  })
})

describe('a record', () => {
  /** A commit removes the last error, and a replay the token of the commit: no record has both. */
  it.each([
    ['a failed try', { status: 'working', lastError: clip('lastError', 'x'.repeat(500)) } as const, {}],
    ['a commit', { status: 'done' } as const, { committed: randomFence() }],
  ])('stays under 1 KB after %s, with the longest values it can hold', (_name, fields, besides) => {
    const item = toItem(
      claimedRecord(NOON, {
        source: 's'.repeat(63),
        eventId: clip('eventId', '\u00e9'.repeat(500)),
        type: clip('type', 't'.repeat(500)),
        fence: randomFence(),
        correlationId: 'c'.repeat(36),
        bodyAt: 's3:400d:2026-11-15',
        guard: 'e'.repeat(64) as Fingerprint,
        ...fields,
      }),
    )
    // DynamoDB counts names and strings in UTF-8, and numbers at half their digits and one byte more.
    const sizeOf = (value: unknown): number =>
      typeof value === 'number' ? Math.ceil(String(value).length / 2) + 1 : Buffer.byteLength(String(value))
    const size = Object.entries({ ...item, ...besides }).reduce(
      (sum, [name, value]) => sum + sizeOf(name) + sizeOf(value),
      0,
    )
    expect(size).toBeLessThan(1024)
  })
})
