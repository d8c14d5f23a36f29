import { type Fingerprint, type Millis, toSeconds } from '../domain/brands.ts'
import type { ClaimAnswer, EventClaims, MoveAnswer, OwnAnswer, Settlement } from '../domain/ports.ts'
import { type EventRecord, isExpired, type Ownership } from '../domain/record.ts'
import {
  ABSENT,
  ALIVE,
  all,
  any,
  EXPIRED,
  FAILED,
  LEASE_PASSED,
  NO_BODY,
  OWN_FENCE,
  QUEUED,
  SAME_EVENT,
  SEEN_FENCE,
  SEEN_GENERATION,
  STATUS_NAME,
  STILL_CLAIMED,
} from './dynamodb-conditions.ts'
import { fromItem, type Item, listingKeys, toItem } from './dynamodb-record.ts'
import { unavailable } from './fault.ts'
import type { DynamoCalls, Transacted, UpdateItem } from './wire/dynamo-calls.ts'

/** `all(STILL_CLAIMED, OWN_FENCE)` is our own write come back: the SDK repeated a call whose answer was lost. */
const MAY_CLAIM = any(ABSENT, EXPIRED, all(STILL_CLAIMED, OWN_FENCE))
const MAY_GUARD = any(ABSENT, EXPIRED, SAME_EVENT)
const MAY_TAKE_OVER = all(STILL_CLAIMED, any(all(SEEN_FENCE, LEASE_PASSED, ALIVE), OWN_FENCE))
const MAY_REOPEN = any(all(FAILED, SEEN_GENERATION, ALIVE), all(STILL_CLAIMED, OWN_FENCE))
const MAY_SETTLE = all(OWN_FENCE, any(STILL_CLAIMED, QUEUED))
/** Needs no fence: it touches neither status, fence nor lease, and only says what nobody has said. */
const MAY_NOTE_BODY = all(SEEN_GENERATION, NO_BODY)
const MAY_RELEASE = all(OWN_FENCE, STILL_CLAIMED)

/** With whichever client makes the calls. */
export const eventsOver = (calls: DynamoCalls, table: string): EventClaims => {
  const readItem = (fingerprint: Fingerprint): Promise<Item | undefined> =>
    calls.getItem({ TableName: table, Key: { fingerprint }, ConsistentRead: true })

  const read = async (fingerprint: Fingerprint, now: Millis): Promise<EventRecord | undefined> => {
    const item = await readItem(fingerprint)
    const record = item && fromItem(item)
    return record && !isExpired(record, toSeconds(now)) ? record : undefined
  }

  const claimPut = (record: EventRecord) => ({
    TableName: table,
    Item: toItem(record),
    ConditionExpression: MAY_CLAIM,
    ExpressionAttributeNames: STATUS_NAME,
    ExpressionAttributeValues: {
      ':claimed': 'claimed',
      ':fence': record.fence,
      ':nowSeconds': toSeconds(record.claimedAt),
    },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  })

  /** The store returns what stood in the way; where it did not, a read tells, and absent by now means somebody is at it. */
  const lostTo = async (item: Item | undefined, fingerprint: Fingerprint): Promise<ClaimAnswer> => {
    const existing = item ?? (await readItem(fingerprint))
    return existing ? { kind: 'lost', existing: fromItem(existing) } : { kind: 'contended' }
  }

  const claimAlone = async (record: EventRecord): Promise<ClaimAnswer> => {
    const written = await calls.putItem(claimPut(record))
    return written.kind === 'written' ? { kind: 'won', record } : lostTo(written.item, record.fingerprint)
  }

  const claimGuarded = async (record: EventRecord, guard: Fingerprint): Promise<ClaimAnswer> => {
    const guardPut = {
      TableName: table,
      Item: { fingerprint: guard, guards: record.fingerprint, expiresAt: record.expiresAt },
      ConditionExpression: MAY_GUARD,
      ExpressionAttributeValues: { ':fingerprint': record.fingerprint, ':nowSeconds': toSeconds(record.claimedAt) },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    }
    const transacted = await calls.transactWriteItems({
      ClientRequestToken: record.fence,
      TransactItems: [{ Put: claimPut(record) }, { Put: guardPut }],
    })
    return transacted.kind === 'written' ? { kind: 'won', record } : cancelled(transacted, record)
  }

  const cancelled = async (
    { reasons: [event, guarding], error }: Extract<Transacted, { kind: 'cancelled' }>,
    record: EventRecord,
  ): Promise<ClaimAnswer> => {
    if (event?.code === 'ConditionalCheckFailed') return lostTo(event.item, record.fingerprint)
    if (guarding?.code === 'ConditionalCheckFailed' && guarding.item) {
      const other = await read(guarding.item.guards as Fingerprint, record.claimedAt)
      return other ? { kind: 'lost', existing: other } : claimAlone(record)
    }
    const conflict = [event, guarding].some(reason => reason?.code === 'TransactionConflict')
    if (conflict) return { kind: 'contended' }
    throw error
  }

  const update = async (record: EventRecord, change: Change) => {
    try {
      return await calls.updateItem({
        TableName: table,
        Key: { fingerprint: record.fingerprint },
        ExpressionAttributeNames: STATUS_NAME,
        ...change,
      })
    } catch (error) {
      return unavailable(error)
    }
  }

  const own = async (seen: EventRecord, change: Change): Promise<OwnAnswer> => {
    const answer = await update(seen, { ReturnValues: 'ALL_NEW', ...change })
    if (answer.kind === 'written') return { kind: 'owned', record: fromItem(answer.item ?? {}) }
    return answer.kind === 'condition-failed' ? { kind: 'superseded' } : answer
  }

  const move = async (owned: EventRecord, change: Change): Promise<MoveAnswer> => {
    const answer = await update(owned, { ReturnValues: 'NONE', ...change })
    if (answer.kind === 'written') return { kind: 'moved' }
    return answer.kind === 'condition-failed' ? { kind: 'superseded' } : answer
  }

  return {
    async claim(record, guard) {
      try {
        return guard === null ? await claimAlone(record) : await claimGuarded(record, guard)
      } catch (error) {
        return unavailable(error)
      }
    },

    takeOver: (seen, by) =>
      own(seen, {
        ConditionExpression: MAY_TAKE_OVER,
        UpdateExpression: `SET ${OWNED}, attempts = :attempts`,
        ExpressionAttributeValues: {
          ...ownedBy(seen.fingerprint, by),
          ':nowSeconds': toSeconds(by.now),
          ':seenFence': seen.fence,
          ':attempts': seen.attempts + 1,
        },
      }),

    reopen: (seen, by, body) =>
      own(seen, {
        ConditionExpression: MAY_REOPEN,
        UpdateExpression: `SET ${OWNED}, ${BODY}, #status = :claimed, generation = :nextGeneration, attempts = :attempts, bodyAt = :bodyAt`,
        ExpressionAttributeValues: {
          ...ownedBy(seen.fingerprint, by),
          ...bodyValues(body),
          ':nowSeconds': toSeconds(by.now),
          ':failed': 'failed',
          ':generation': seen.generation,
          ':nextGeneration': seen.generation + 1,
          ':attempts': 1,
          ':bodyAt': body.bodyAt,
        },
      }),

    settle: (owned, settlement) =>
      move(owned, {
        ConditionExpression: MAY_SETTLE,
        UpdateExpression: `SET #status = :queued, updatedAt = :now, ${BODY}${settlement.bodyAt === null ? ' REMOVE bodyAt' : ', bodyAt = :bodyAt'}`,
        ExpressionAttributeValues: {
          ...bodyValues(settlement),
          ':claimed': 'claimed',
          ':queued': 'queued',
          ':fence': owned.fence,
          ':now': settlement.now,
          ...(settlement.bodyAt !== null && { ':bodyAt': settlement.bodyAt }),
        },
      }),

    noteBody: (owned, { bodySha256, bodySize, bodyAt }) =>
      move(owned, {
        ConditionExpression: MAY_NOTE_BODY,
        UpdateExpression: 'SET bodySha256 = :bodySha256, bodySize = :bodySize, bodyAt = :bodyAt',
        ExpressionAttributeNames: undefined,
        ExpressionAttributeValues: {
          ':bodySha256': bodySha256,
          ':bodySize': bodySize,
          ':bodyAt': bodyAt,
          ':generation': owned.generation,
        },
      }),

    release: (owned, now, lastError) =>
      move(owned, {
        ConditionExpression: MAY_RELEASE,
        UpdateExpression: 'SET leaseUntil = :now, updatedAt = :now, lastError = :lastError',
        ExpressionAttributeValues: {
          ':claimed': 'claimed',
          ':fence': owned.fence,
          ':now': now,
          ':lastError': lastError,
        },
      }),

    read,
  }
}

type Change = Omit<UpdateItem, 'TableName' | 'Key'>

const OWNED = 'fence = :fence, leaseUntil = :leaseUntil, updatedAt = :now, listing = :listing, claimedAt = :claimedAt'

const ownedBy = (fingerprint: Fingerprint, by: Ownership) => {
  const { listing, claimedAt } = listingKeys(fingerprint, by.now)
  return {
    ':claimed': 'claimed',
    ':fence': by.fence,
    ':leaseUntil': by.leaseUntil,
    ':now': by.now,
    ':listing': listing,
    ':claimedAt': claimedAt,
  }
}

const BODY = 'expiresAt = :expiresAt, bodySha256 = :bodySha256, bodySize = :bodySize'

const bodyValues = (body: Settlement) => ({
  ':expiresAt': body.expiresAt,
  ':bodySha256': body.bodySha256,
  ':bodySize': body.bodySize,
})
