import { listingKeys } from '../contract/tables.ts'
import { type Fence, type Fingerprint, type Millis, toSeconds } from '../domain/brands.ts'
import { answered } from '../domain/fault.ts'
import type {
  ClaimAnswer,
  CopyClaims,
  EventClaims,
  EventMoves,
  EventReads,
  OwnAnswer,
  Unavailable,
} from '../domain/ports.ts'
import {
  beginAnew,
  claim,
  claimIgnored,
  noteBody,
  outlast,
  release,
  reopen,
  settle,
  takeOver,
} from '../domain/protocol.ts'
import { type EventRecord, isExpired, type Ownership } from '../domain/record.ts'
import { extendGuard, guardInherited, guardPut } from './dynamodb-guards.ts'
import { changedTo, fromItem, toItem } from './event-items.ts'
import { at, put, update } from './expressions.ts'
import { moved } from './moved.ts'
import type { DynamoCalls, Item, Transacted, Written } from './wire/dynamo-calls.ts'

interface Aws {
  readonly dynamo: Pick<DynamoCalls, 'putItem' | 'updateItem' | 'getItem' | 'transactWriteItems'>
}

interface Names {
  readonly eventsTable: string
}

/** How a delivery comes to own an event. */
export const eventClaims = ({ dynamo }: Aws, { eventsTable: table }: Names): EventClaims => {
  const claimPut = (record: EventRecord) =>
    put(table, toItem(record), record.status === 'ignored' ? claimIgnored : claim, {
      ...record,
      ...at(record.claimedAt),
    })

  /** The store returns what stood in the way; if it did not, a read tells, and absent by now means somebody is at it. */
  const lostTo = async (item: Item | undefined, fingerprint: Fingerprint): Promise<ClaimAnswer> => {
    const existing = item ?? (await readItem(dynamo, table, fingerprint))
    return existing ? { kind: 'lost', existing: fromItem(existing) } : { kind: 'contended' }
  }

  const claimAlone = async (record: EventRecord): Promise<ClaimAnswer> => {
    const written = await dynamo.putItem(claimPut(record))
    return written.kind === 'written' ? { kind: 'won', record } : lostTo(written.item, record.fingerprint)
  }

  /** `orphan`: the guard of an event that is gone, as it was found. */
  const claimGuarded = async (
    record: EventRecord,
    guard: Fingerprint,
    exclusive: boolean,
    orphan?: Item,
  ): Promise<ClaimAnswer> => {
    const guarding = orphan ? guardInherited(table, orphan, record) : guardPut(table, guard, record, record.claimedAt)
    const transacted = await dynamo.transactWriteItems({
      ClientRequestToken: orphan ? secondToken(record.fence) : record.fence,
      TransactItems: [{ Put: { ...claimPut(record) } }, { Put: { ...guarding } }],
    })
    if (transacted.kind === 'written') return { kind: 'won', record }
    const answer = await cancelled(transacted, record, exclusive, orphan)
    // A repeat may bring something else that was signed: from now on that is its event's too.
    if (answer.kind !== 'lost' || answer.existing.fingerprint !== record.fingerprint) return answer
    if (answer.existing.guard === guard) return answer
    const written = await dynamo.putItem(guarding)
    return exclusive && written.kind === 'condition-failed' ? { kind: 'taken' } : answer
  }

  const cancelled = async (
    { reasons: [event, guarding], error }: Extract<Transacted, { kind: 'cancelled' }>,
    record: EventRecord,
    exclusive: boolean,
    orphan: Item | undefined,
  ): Promise<ClaimAnswer> => {
    const held = guarding?.code === 'ConditionalCheckFailed'
    if (held && exclusive) return { kind: 'taken' }
    if (event?.code === 'ConditionalCheckFailed') return lostTo(event.item, record.fingerprint)
    if (held && guarding.item) return heldBy(guarding.item, record, orphan)
    const conflict = [event, guarding].some(reason => reason?.code === 'TransactionConflict')
    if (conflict) return { kind: 'contended' }
    throw error
  }

  /** If its event is gone, it is inherited: left where it is, it would make the same bytes a new event under every id. */
  const heldBy = async (found: Item, record: EventRecord, orphan: Item | undefined): Promise<ClaimAnswer> => {
    const other = await readRecord(dynamo, table, found.guards as Fingerprint, record.claimedAt)
    if (other) return { kind: 'lost', existing: other }
    return orphan ? { kind: 'contended' } : claimGuarded(record, record.guard as Fingerprint, false, found)
  }

  return {
    claim: (record, exclusive = false) =>
      answered(record.guard === null ? claimAlone(record) : claimGuarded(record, record.guard, exclusive)),

    reopen: async (seen, by, { now, ...body }, to = seen.to) => {
      const said = {
        ...ownedBy(seen, by),
        ...body,
        seenGeneration: seen.generation,
        generation: seen.generation + 1,
        attempts: 0,
        to: changedTo(seen.to, to),
      }
      const reopened = async (): Promise<Written> => {
        // First: a guard may outlive its record, and never the other way round.
        await extendGuard(dynamo, table, { ...seen, expiresAt: body.expiresAt }, by.now)
        return dynamo.updateItem({ ...update(table, keyOf(seen), reopen, said), ReturnValues: 'ALL_NEW' })
      }
      return owned(await answered(reopened()))
    },
  }
}

/** How a copy of an event is made once more. */
export const copyClaims = ({ dynamo }: Aws, { eventsTable: table }: Names): CopyClaims => ({
  beginAnew: async (seen, by, copy) => {
    const said = {
      ...copy,
      ...ownedBy(seen, by),
      madeIn: copy.madeIn ?? null,
      generation: seen.generation + 1,
      // In another life of its event it is the same thing again, as an event with one destination would be: whoever knows its key has had it.
      edition: seen.status === 'done' && seen.firstSeenAt === copy.firstSeenAt ? seen.edition + 1 : seen.edition,
      attempts: 0,
      seenStatus: seen.status,
      seenFence: seen.fence,
      seenGeneration: seen.generation,
    }
    const beginning = update(table, keyOf(seen), beginAnew, said)
    return owned(await answered(dynamo.updateItem({ ...beginning, ReturnValues: 'ALL_NEW' })))
  },

  outlast: async (seen, expiresAt) => {
    const said = { expiresAt, seenGeneration: seen.generation }
    return moved(await answered(dynamo.updateItem(update(table, keyOf(seen), outlast, said))))
  },
})

/** What an owner does with it. */
export const eventMoves = ({ dynamo }: Aws, { eventsTable: table }: Names): EventMoves => ({
  takeOver: async (seen, by, to = seen.to) => {
    const said = { ...ownedBy(seen, by), seenFence: seen.fence, to: changedTo(seen.to, to) }
    const taking = update(table, keyOf(seen), takeOver, said)
    return owned(await answered(dynamo.updateItem({ ...taking, ReturnValues: 'ALL_NEW' })))
  },

  settle: async (record, { now, ...body }) => {
    const { fingerprint, fence, claimedAt, firstSeenAt } = record
    // Whoever claimed it first has said when its guard ends; after a takeover its record lives longer than that.
    if (claimedAt > firstSeenAt) {
      await answered(extendGuard(dynamo, table, { ...record, expiresAt: body.expiresAt }, now))
    }
    return moved(
      await answered(dynamo.updateItem(update(table, { fingerprint }, settle, { ...body, fence, updatedAt: now }))),
    )
  },

  noteBody: async ({ fingerprint, generation }, { bodySha256, bodySize, bodyAt }) => {
    const said = { bodySha256, bodySize, bodyAt, seenGeneration: generation }
    return moved(await answered(dynamo.updateItem(update(table, { fingerprint }, noteBody, said))))
  },

  release: async ({ fingerprint, fence }, now, lastError) => {
    const said = { fence, leaseUntil: now, updatedAt: now, lastError }
    return moved(await answered(dynamo.updateItem(update(table, { fingerprint }, release, said))))
  },
})

export const eventRead = ({ dynamo }: Pick<Aws, 'dynamo'>, { eventsTable }: Names): Pick<EventReads, 'read'> => ({
  read: (fingerprint, now) => readRecord(dynamo, eventsTable, fingerprint, now),
})

type Dynamo = Aws['dynamo']

const readItem = (dynamo: Dynamo, TableName: string, fingerprint: Fingerprint): Promise<Item | undefined> =>
  dynamo.getItem({ TableName, Key: { fingerprint }, ConsistentRead: true })

const readRecord = async (
  dynamo: Dynamo,
  table: string,
  fingerprint: Fingerprint,
  now: Millis,
): Promise<EventRecord | undefined> => {
  const item = await readItem(dynamo, table, fingerprint)
  const record = item && fromItem(item)
  return record && !isExpired(record, toSeconds(now)) ? record : undefined
}

/** DynamoDB refuses another transaction under the token of the first, and a token of more than 36 characters: a fence has 32. */
const secondToken = (fence: Fence): string => `${fence}-2`

const keyOf = ({ fingerprint }: EventRecord): Item => ({ fingerprint })

/** What whoever comes to own an event writes into it. */
export const ownedBy = ({ fingerprint }: EventRecord, { fence, leaseUntil, now }: Ownership) => ({
  fence,
  leaseUntil,
  updatedAt: now,
  ...listingKeys(fingerprint, now),
  ...at(now),
})

const owned = (answer: Written | Unavailable): OwnAnswer => {
  if (answer.kind === 'written') return { kind: 'owned', record: fromItem(answer.item ?? {}) }
  return answer.kind === 'condition-failed' ? { kind: 'superseded' } : answer
}
