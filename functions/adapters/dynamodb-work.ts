import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import { type Millis, toSeconds } from '../domain/brands.ts'
import type { Unavailable } from '../domain/ports.ts'
import type { EventRecord } from '../domain/record.ts'
import { isExpired } from '../domain/record.ts'
import type { CommitAnswer, EndAnswer, Mark, NotOurs, WorkStore, Write } from '../domain/work.ts'
import {
  ABSENT,
  ALIVE,
  all,
  any,
  DONE,
  EARLIER_GENERATION,
  EXPIRED,
  FAILED,
  LEASE_PASSED,
  OWN_FENCE,
  QUEUED,
  SEEN_GENERATION,
  STATUS_NAME,
  STILL_CLAIMED,
  statusValues,
  WORKING,
} from './dynamodb-conditions.ts'
import { fromItem, type Item, toItem } from './dynamodb-record.ts'
import { unavailable } from './fault.ts'

/** A generation that nobody finished, and nobody else is working on. */
const FREE = any(STILL_CLAIMED, QUEUED, all(WORKING, any(LEASE_PASSED, OWN_FENCE)))
const MAY_TAKE = all(ALIVE, SEEN_GENERATION, FREE)
const MAY_RECREATE = any(ABSENT, EXPIRED, EARLIER_GENERATION, all(OWN_FENCE, '#status = :becoming'))
const MAY_FINISH = all(OWN_FENCE, SEEN_GENERATION, any(WORKING, DONE))
/** Not DONE as well: a transaction that is repeated under another token must not write its effects a second time. */
const MAY_COMMIT = all(OWN_FENCE, SEEN_GENERATION, WORKING)
const MAY_REPORT = all(OWN_FENCE, SEEN_GENERATION, WORKING)
const UNFINISHED = any(STILL_CLAIMED, QUEUED, WORKING)
const MAY_FAIL = all(ALIVE, SEEN_GENERATION, any(FAILED, all(UNFINISHED, any(LEASE_PASSED, OWN_FENCE))))
const MAY_ADVANCE = any(ABSENT, EXPIRED, '#version < :version', all('#version = :version', 'broughtBy = :by'))

type Update = Omit<UpdateCommandInput, 'TableName' | 'Key'>

export const dynamodbWork = (client: DynamoDBDocumentClient, table: string): WorkStore => {
  /** `undefined` when there is no record, or none that counts: the caller may recreate it. */
  const standing = (item: Item | undefined, implied: EventRecord, now: Millis): NotOurs | undefined => {
    const record = item && fromItem(item)
    if (!record || isExpired(record, toSeconds(now)) || record.generation < implied.generation) return undefined
    if (record.generation > implied.generation) return { kind: 'superseded' }
    if (record.status === 'done' || record.status === 'failed') return { kind: 'over', status: record.status }
    return { kind: 'busy' }
  }

  const update = async (record: EventRecord, input: Update): Promise<EventRecord | { refusedBy: Item | undefined }> => {
    try {
      const { Attributes } = await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { fingerprint: record.fingerprint },
          ExpressionAttributeNames: STATUS_NAME,
          ReturnValues: 'ALL_NEW',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          ...input,
        }),
      )
      return fromItem(Attributes ?? {})
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return { refusedBy: error.Item && unmarshall(error.Item) }
      throw error
    }
  }

  const recreate = async (record: EventRecord, now: Millis): Promise<EventRecord | NotOurs> => {
    try {
      await client.send(
        new PutCommand({
          TableName: table,
          Item: toItem(record),
          ConditionExpression: MAY_RECREATE,
          ExpressionAttributeNames: STATUS_NAME,
          ExpressionAttributeValues: {
            ':becoming': record.status,
            ':nowSeconds': toSeconds(now),
            ':generation': record.generation,
            ':fence': record.fence,
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      )
      return record
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      return standing(error.Item && unmarshall(error.Item), record, now) ?? { kind: 'busy' }
    }
  }

  /** The update where there is a record to update, else the record that the message implies. */
  const updateOrRecreate = async (implied: EventRecord, now: Millis, input: Update): Promise<EventRecord | NotOurs> => {
    const updated = await update(implied, input)
    if (!('refusedBy' in updated)) return updated
    return standing(updated.refusedBy, implied, now) ?? recreate(implied, now)
  }

  const owned = (record: EventRecord, now: Millis) => ({
    ':fence': record.fence,
    ':generation': record.generation,
    ':now': now,
  })

  const doneUpdate = (record: EventRecord, now: Millis, condition: string) => ({
    TableName: table,
    Key: { fingerprint: record.fingerprint },
    ConditionExpression: condition,
    UpdateExpression: 'SET #status = :done, updatedAt = :now REMOVE lastError',
    ExpressionAttributeNames: STATUS_NAME,
    ExpressionAttributeValues: { ...owned(record, now), ...statusValues('working', 'done') },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  })

  const commitRefused = async (
    error: TransactionCanceledException,
    record: EventRecord,
    now: Millis,
    writes: number,
  ): Promise<CommitAnswer> => {
    const reasons = error.CancellationReasons ?? []
    const index = reasons.slice(0, writes).findIndex(reason => reason.Code === 'ConditionalCheckFailed')
    const { Item } = await client.send(
      new GetCommand({ TableName: table, Key: { fingerprint: record.fingerprint }, ConsistentRead: true }),
    )
    const current = Item && fromItem(Item)
    // An earlier try of this very transaction went through and its answer was lost.
    if (current?.status === 'done' && current.fence === record.fence) return { kind: 'committed' }
    if (reasons[writes]?.Code === 'ConditionalCheckFailed') return standing(Item, record, now) ?? { kind: 'busy' }
    if (index >= 0) return { kind: 'refused', index, code: 'ConditionalCheckFailed' }
    const other = reasons.findIndex(
      reason => reason.Code === 'ValidationError' || reason.Code === 'ItemCollectionSizeLimitExceeded',
    )
    return other >= 0 ? { kind: 'refused', index: other, code: reasons[other]?.Code ?? '' } : unavailable(error)
  }

  return {
    async take(implied, now) {
      const answer = await answered(
        updateOrRecreate(implied, now, {
          ConditionExpression: MAY_TAKE,
          UpdateExpression: `SET #status = :working, fence = :fence, leaseUntil = :leaseUntil, updatedAt = :now${implied.attempts > 1 ? ', attempts = :attempts' : ''}`,
          ExpressionAttributeValues: {
            ...owned(implied, now),
            ...statusValues('claimed', 'queued', 'working'),
            ':leaseUntil': implied.leaseUntil,
            ':nowSeconds': toSeconds(now),
            ...(implied.attempts > 1 && { ':attempts': implied.attempts }),
          },
        }),
      )
      return 'kind' in answer ? answer : { kind: 'taken', record: answer }
    },

    async finish(record, now) {
      const { TableName, Key, ...input } = doneUpdate(record, now, MAY_FINISH)
      const answer = await answered(update(record, { ...input, ReturnValues: 'NONE' }))
      if ('kind' in answer) return answer
      if (!('refusedBy' in answer)) return { kind: 'moved' }
      return standing(answer.refusedBy, record, now) ?? { kind: 'busy' }
    },

    async report(record, now, lastError, leaseUntil) {
      const answer = await answered(
        update(record, {
          ConditionExpression: MAY_REPORT,
          UpdateExpression: 'SET leaseUntil = :leaseUntil, updatedAt = :now, lastError = :lastError',
          ExpressionAttributeValues: {
            ...owned(record, now),
            ...statusValues('working'),
            ':leaseUntil': leaseUntil,
            ':lastError': lastError,
          },
          ReturnValues: 'NONE',
        }),
      )
      if ('kind' in answer) return answer
      return 'refusedBy' in answer ? { kind: 'superseded' } : { kind: 'moved' }
    },

    async fail(implied, by, failure): Promise<EndAnswer> {
      const { lastError, bodySha256, bodySize, bodyAt, expiresAt } = failure
      const { fence, now } = by
      const record: EventRecord = { ...implied, ...failure, status: 'failed', fence, leaseUntil: now, updatedAt: now }
      const answer = await answered(
        updateOrRecreate(record, now, {
          ConditionExpression: MAY_FAIL,
          UpdateExpression: `SET #status = :failed, fence = :fence, leaseUntil = :now, updatedAt = :now, lastError = :lastError, bodySha256 = :bodySha256, bodySize = :bodySize, expiresAt = :expiresAt${bodyAt === null ? ' REMOVE bodyAt' : ', bodyAt = :bodyAt'}`,
          ExpressionAttributeValues: {
            ...owned(record, now),
            ...statusValues('claimed', 'queued', 'working', 'failed'),
            ':nowSeconds': toSeconds(now),
            ':lastError': lastError,
            ':bodySha256': bodySha256,
            ':bodySize': bodySize,
            ':expiresAt': expiresAt,
            ...(bodyAt !== null && { ':bodyAt': bodyAt }),
          },
        }),
      )
      return 'kind' in answer ? answer : { kind: 'moved' }
    },

    async commit(record, writes, token, now) {
      try {
        await client.send(
          new TransactWriteCommand({
            ClientRequestToken: token,
            TransactItems: [
              ...writes,
              { Update: doneUpdate(record, now, MAY_COMMIT) },
            ] as TransactWriteCommandInput['TransactItems'],
          }),
        )
        return { kind: 'committed' }
      } catch (error) {
        if (!(error instanceof TransactionCanceledException)) return unavailable(error)
        return answered(commitRefused(error, record, now, writes.length))
      }
    },

    async advance(mark, now) {
      try {
        await client.send(new PutCommand(markPut(table, mark, now)))
        return { kind: 'newest' }
      } catch (error) {
        return error instanceof ConditionalCheckFailedException ? { kind: 'stale' } : unavailable(error)
      }
    },

    advanceWrite: (mark, now): Write => ({ Put: markPut(table, mark, now) }),
  }
}

const markPut = (table: string, { key, version, by, expiresAt }: Mark, now: Millis) => ({
  TableName: table,
  Item: { fingerprint: `newest#${key}`, version, broughtBy: by, expiresAt },
  ConditionExpression: MAY_ADVANCE,
  ExpressionAttributeNames: { '#version': 'version' },
  ExpressionAttributeValues: { ':version': version, ':by': by, ':nowSeconds': toSeconds(now) },
})

const answered = async <Answer>(call: Promise<Answer>): Promise<Answer | Unavailable> => {
  try {
    return await call
  } catch (error) {
    return unavailable(error)
  }
}
