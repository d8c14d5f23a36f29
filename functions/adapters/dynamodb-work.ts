import { isOver } from '../contract/status.ts'
import { type Fence, type Millis, toMillis, toSeconds } from '../domain/brands.ts'
import { answered, unavailable } from '../domain/fault.ts'
import { commit, fail, finish, giveBack, ignore, recreate, recreateFailed, report, take } from '../domain/protocol.ts'
import type { EventRecord } from '../domain/record.ts'
import { isExpired } from '../domain/record.ts'
import type { CommitAnswer, EndAnswer, FailureStore, NotOurs, WorkStore, Write } from '../domain/work.ts'
import { extendGuard } from './dynamodb-guards.ts'
import { advanceMark, markPut, outliveRefused } from './dynamodb-marks.ts'
import { fromItem, toItem } from './event-items.ts'
import { at, put, update } from './expressions.ts'
import { moved } from './moved.ts'
import type { DynamoCalls, Item, PutItem, Transacted, UpdateItem } from './wire/dynamo-calls.ts'

interface Aws {
  readonly dynamo: Pick<DynamoCalls, 'putItem' | 'updateItem' | 'getItem' | 'transactWriteItems'>
}

interface Names {
  readonly eventsTable: string
}

/** The events as those see them who handle their messages. */
export const dynamodbWork = ({ dynamo }: Aws, { eventsTable: table }: Names): WorkStore => {
  const commitRefused = async (
    { reasons, error }: Extract<Transacted, { kind: 'cancelled' }>,
    record: EventRecord,
    { token, now, writes }: { readonly token: Fence; readonly now: Millis; readonly writes: readonly Write[] },
  ): Promise<CommitAnswer> => {
    const index = reasons.slice(0, writes.length).findIndex(({ code }) => code === 'ConditionalCheckFailed')
    const Key = { fingerprint: record.fingerprint }
    const item = await dynamo.getItem({ TableName: table, Key, ConsistentRead: true })
    // An earlier try of this very transaction went through and its answer was lost. Of other writes that says nothing.
    if (item?.committed === token) return { kind: 'committed' }
    if (reasons[writes.length]?.code === 'ConditionalCheckFailed') return standing(item, record, now) ?? nobodys(now)
    if (index >= 0) {
      await outliveRefused(dynamo, table, writes[index] ?? {}, reasons[index]?.item)
      return { kind: 'refused', index, code: 'ConditionalCheckFailed' }
    }
    const other = reasons.findIndex(({ code }) => NEVER_WRITTEN.has(code))
    return other >= 0 ? { kind: 'refused', index: other, code: reasons[other]?.code ?? '' } : unavailable(error)
  }

  const end = async (ending: UpdateItem, record: EventRecord, now: Millis): Promise<EndAnswer> => {
    const answer = await answered(dynamo.updateItem({ ...ending, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }))
    if (answer.kind === 'unavailable') return answer
    return answer.kind === 'written' ? { kind: 'moved' } : (standing(answer.item, record, now) ?? nobodys(now))
  }

  return {
    async take(implied, now, signal) {
      const { fingerprint, fence, leaseUntil, generation } = implied
      const said = { fence, leaseUntil, updatedAt: now, attempts: 1, seenGeneration: generation, ...at(now) }
      const taking = { ...update(table, { fingerprint }, take, said), ReturnValues: 'ALL_NEW' as const }
      const recreating = recreatePut(table, implied, now)
      const answer = await answered(updateOrRecreate(dynamo, taking, recreating, implied, { now, signal }))
      return 'kind' in answer ? answer : { kind: 'taken', record: answer }
    },

    async giveBack({ fingerprint, fence, generation, updatedAt: leaseUntil }, now) {
      const said = { fence, seenGeneration: generation, leaseUntil, updatedAt: now, attempts: -1 }
      return moved(await answered(dynamo.updateItem(update(table, { fingerprint }, giveBack, said))))
    },

    async finish(record, now) {
      return end(update(table, keyOf(record), finish, { ...ownedBy(record), updatedAt: now }), record, now)
    },

    async ignore(record, now, ignoredBecause) {
      const said = { ...ownedBy(record), updatedAt: now, ignoredBecause }
      return end(update(table, keyOf(record), ignore, said), record, now)
    },

    async report({ fingerprint, fence, generation }, now, lastError, leaseUntil) {
      const said = { fence, seenGeneration: generation, leaseUntil, updatedAt: now, lastError }
      return moved(await answered(dynamo.updateItem(update(table, { fingerprint }, report, said))))
    },

    async commit(record, writes, token, now) {
      const TransactItems = [...writes, { Update: { ...commitUpdate(table, record, token, now) } }]
      const answer = await answered(dynamo.transactWriteItems({ ClientRequestToken: token, TransactItems }))
      if (answer.kind === 'unavailable') return answer
      if (answer.kind === 'written') return { kind: 'committed' }
      return answered(commitRefused(answer, record, { token, now, writes }))
    },

    async advance(mark, now) {
      return answered(advanceMark(dynamo, table, mark, now))
    },

    advanceWrite: (mark, now): Write => ({ Put: { ...markPut(table, mark, now) } }),
  }
}

/** And as those do who only say that one has failed. */
export const workFailures = ({ dynamo }: Aws, { eventsTable: table }: Names): FailureStore => ({
  async fail(implied, { fence, now }, failure) {
    const record: EventRecord = { ...implied, ...failure, status: 'failed', fence, leaseUntil: now, updatedAt: now }
    const lifeEnds = toMillis(implied.expiresAt)
    const known = { fence, seenGeneration: implied.generation, lifeEnds, ...at(now) }
    const said = { ...failure, ...known, leaseUntil: now, updatedAt: now }
    const updating = update(table, { fingerprint: implied.fingerprint }, fail, said)
    const failing = { ...updating, ReturnValues: 'ALL_NEW' as const }
    const recreating = put(table, toItem(record), recreateFailed, known)
    const answer = await answered(updateOrRecreate(dynamo, failing, recreating, record, { now, lifeEnds }))
    if ('kind' in answer) return answer
    // Only the record knows its guard. If that is not extended, a replay or the sender's next try extends it.
    await answered(extendGuard(dynamo, table, answer, now))
    return { kind: 'moved' }
  },
})

/** Codes of a write that no repeat will get through. */
const NEVER_WRITTEN: ReadonlySet<string> = new Set(['ValidationError', 'ItemCollectionSizeLimitExceeded'])

const recreatePut = (table: string, record: EventRecord, now: Millis): PutItem =>
  put(table, toItem(record), recreate, { ...at(now), seenGeneration: record.generation })

const keyOf = ({ fingerprint }: EventRecord) => ({ fingerprint })

const ownedBy = ({ fence, generation }: EventRecord) => ({ fence, seenGeneration: generation })

const commitUpdate = (table: string, record: EventRecord, token: Fence, now: Millis): UpdateItem =>
  update(table, keyOf(record), commit, { ...ownedBy(record), updatedAt: now, committed: token })

interface Asking {
  readonly now: Millis
  readonly signal?: AbortSignal | undefined
  readonly lifeEnds?: Millis
}

/** The update if there is a record to update, else the record that the message implies. */
const updateOrRecreate = async (
  dynamo: Aws['dynamo'],
  updating: UpdateItem,
  recreating: PutItem,
  implied: EventRecord,
  { now, signal, lifeEnds = toMillis(implied.expiresAt) }: Asking,
): Promise<EventRecord | NotOurs> => {
  const updated = await dynamo.updateItem({ ...updating, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' })
  if (updated.kind === 'written') return updated.item ? fromItem(updated.item) : implied
  const other = writtenBefore(updated.item, implied) ?? standing(updated.item, implied, now, lifeEnds)
  if (other) return other
  // Whoever asked has gone, and perhaps another has ended the event and its message since: nobody would come for a new record.
  if (signal?.aborted) return unavailable('the event was to be recreated too late')
  const written = await dynamo.putItem(recreating)
  if (written.kind === 'written') return implied
  return writtenBefore(written.item, implied) ?? standing(written.item, implied, now, lifeEnds) ?? nobodys(now)
}

/** An earlier try of this very write went through, and its answer was lost. */
const writtenBefore = (item: Item | undefined, implied: EventRecord): EventRecord | undefined =>
  item?.fence === implied.fence && item.status === implied.status ? fromItem(item) : undefined

/** Refused, and yet nobody has it: it has to come back and look again. */
const nobodys = (now: Millis): NotOurs => ({ kind: 'busy', leaseUntil: now })

/** `undefined` when there is no record, or none that counts: the caller may recreate it. */
const standing = (
  item: Item | undefined,
  { generation }: EventRecord,
  now: Millis,
  lifeEnds = Number.POSITIVE_INFINITY,
): NotOurs | undefined => {
  const record = item && fromItem(item)
  if (!record || isExpired(record, toSeconds(now))) return undefined
  // It was forgotten, and has come again since: that is another event's life.
  if (record.firstSeenAt >= lifeEnds || record.generation > generation) return { kind: 'superseded' }
  if (record.generation < generation) return undefined
  if (isOver(record.status)) return { kind: 'over', status: record.status }
  return { kind: 'busy', leaseUntil: record.leaseUntil }
}
