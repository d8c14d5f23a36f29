import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { type DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { type Fence, type Fingerprint, type Millis, plus, seconds, toSeconds } from '../domain/brands.ts'
import type { EventRecord, Ownership } from '../domain/record.ts'
import type { Audit, BeginAnswer, ReplayStore } from '../domain/replay.ts'
import { auditOf, replayed } from '../domain/replayed.ts'
import { ABSENT, ALIVE, all, any, EXPIRED, SEEN_GENERATION, STATUS_NAME, statusValues } from './dynamodb-conditions.ts'
import { DIARY_SECONDS, diaryKeys, readDiary } from './dynamodb-diary.ts'
import { batchGet } from './dynamodb-listing.ts'
import { type Item, listingKeys } from './dynamodb-record.ts'
import { unavailable } from './fault.ts'

/** Only what was seen to be over: what is done gets a new idempotency key, and what failed keeps its own. */
const MAY_REPLAY = all('#status = :seen', SEEN_GENERATION, ALIVE)
/** An event that was forgotten and came again counts its generations anew. */
const EARLIER_LIFE = '#at < :since'
const MAY_NOTE = any(ABSENT, EXPIRED, EARLIER_LIFE)

export const dynamodbReplay = (client: DynamoDBDocumentClient, table: string): ReplayStore => {
  const notePut = (audit: Audit, since: Millis) => ({
    TableName: table,
    Item: auditItem(audit),
    ConditionExpression: MAY_NOTE,
    ExpressionAttributeNames: { '#at': 'at' },
    ExpressionAttributeValues: { ':nowSeconds': toSeconds(audit.at), ':since': since },
  })

  const audits: ReplayStore['audits'] = async (fingerprint, generations) => {
    const keys = generations.map(generation => ({ fingerprint: auditKey(fingerprint, generation), claimedAt: '' }))
    const items = await batchGet(client, table, keys, { consistent: true })
    return items.map(toAudit).sort((left, right) => left.generation - right.generation)
  }

  /** The transaction was refused, or nobody knows: it is ours all the same if its audit bears our fence. */
  const begunBefore = async (next: EventRecord): Promise<boolean> => {
    const [audit] = await audits(next.fingerprint, [next.generation])
    return audit?.fence === next.fence
  }

  return {
    async begin(seen, by, act, body): Promise<BeginAnswer> {
      const next = replayed(seen, by, body)
      try {
        await client.send(
          new TransactWriteCommand({
            ClientRequestToken: by.fence,
            TransactItems: [
              { Update: { TableName: table, ...recordUpdate(seen, next, by) } },
              // Under the record's condition: a note of this generation is of an act that never came to be.
              { Put: { TableName: table, Item: auditItem(auditOf(seen, next, by, act)) } },
            ],
          }),
        )
        return { kind: 'begun', record: next }
      } catch (error) {
        return (await begunBefore(next).catch(() => false)) ? { kind: 'begun', record: next } : refusal(error)
      }
    },

    async note(audit, since) {
      try {
        await client.send(new PutCommand(notePut(audit, since)))
        return { kind: 'noted' }
      } catch (error) {
        return error instanceof ConditionalCheckFailedException ? { kind: 'noted' } : unavailable(error)
      }
    },

    audits,
    recent: async (from, until, limit) =>
      (await readDiary(client, table, 'audit', { from, until, limit })).map(toAudit),
  }
}

const recordUpdate = (seen: EventRecord, next: EventRecord, by: Ownership) => {
  const { listing, claimedAt } = listingKeys(next.fingerprint, next.claimedAt)
  return {
    Key: { fingerprint: seen.fingerprint },
    ConditionExpression: MAY_REPLAY,
    UpdateExpression:
      'SET #status = :claimed, generation = :next, edition = :edition, fence = :fence, leaseUntil = :leaseUntil, claimedAt = :claimedAt, updatedAt = :now, listing = :listing, attempts = :attempts, bodySha256 = :bodySha256, bodySize = :bodySize, bodyAt = :bodyAt, expiresAt = :expiresAt REMOVE lastError',
    ExpressionAttributeNames: STATUS_NAME,
    ExpressionAttributeValues: {
      ...statusValues('claimed'),
      ':seen': seen.status,
      ':generation': seen.generation,
      ':next': next.generation,
      ':edition': next.edition,
      ':fence': by.fence,
      ':leaseUntil': by.leaseUntil,
      ':claimedAt': claimedAt,
      ':listing': listing,
      ':now': by.now,
      ':nowSeconds': toSeconds(by.now),
      ':attempts': next.attempts,
      ':bodySha256': next.bodySha256,
      ':bodySize': next.bodySize,
      ':bodyAt': next.bodyAt,
      ':expiresAt': next.expiresAt,
    },
  }
}

const refusal = (error: unknown): BeginAnswer => {
  if (!(error instanceof TransactionCanceledException)) return unavailable(error)
  const codes = (error.CancellationReasons ?? []).map(reason => reason.Code)
  if (codes.includes('ConditionalCheckFailed')) return { kind: 'superseded' }
  return codes.includes('TransactionConflict') ? { kind: 'contended' } : unavailable(error)
}

const auditKey = (fingerprint: Fingerprint, generation: number): string => `audit:${fingerprint}:${generation}`

const auditItem = ({ fingerprint, job, was, ...audit }: Audit): Item => ({
  ...audit,
  ...(job !== null && { job }),
  ...(was !== null && { was }),
  fingerprint: auditKey(fingerprint, audit.generation),
  of: fingerprint,
  expiresAt: plus(toSeconds(audit.at), seconds(DIARY_SECONDS)),
  ...diaryKeys('audit', audit.at, fingerprint),
})

const toAudit = (item: Item): Audit => ({
  fingerprint: item.of as Fingerprint,
  generation: Number(item.generation),
  act: item.act as Audit['act'],
  was: (item.was as Audit['was']) ?? null,
  actor: String(item.actor),
  reason: String(item.reason),
  at: item.at as Millis,
  job: (item.job as string | undefined) ?? null,
  fence: item.fence as Fence,
})
