import { listingKeys } from '../contract/tables.ts'
import { type Fence, type Fingerprint, type Millis, plus, seconds, toSeconds } from '../domain/brands.ts'
import { answered, unavailable } from '../domain/fault.ts'
import { noteAct, replay } from '../domain/protocol.ts'
import type { EventRecord, Ownership } from '../domain/record.ts'
import type { Audit, AuditName, BeginAnswer, ReplayStore } from '../domain/replay.ts'
import { auditOf, replayed } from '../domain/replayed.ts'
import { getAll } from './dynamodb-get-all.ts'
import { extendGuard } from './dynamodb-guards.ts'
import { LOGGED_SECONDS, logKeys, readLog } from './dynamodb-operator-log.ts'
import { changedTo } from './event-items.ts'
import { at, put, update } from './expressions.ts'
import type { DynamoCalls, Item, Transacted, UpdateItem } from './wire/dynamo-calls.ts'

/** Replays, and who wanted them. */
export const dynamodbReplays = (
  { dynamo }: { readonly dynamo: DynamoCalls },
  { eventsTable: table }: { readonly eventsTable: string },
): ReplayStore => {
  const audits: ReplayStore['audits'] = (fingerprint, names) => readAudits(dynamo, table, fingerprint, names)

  /** The transaction was refused, or nobody knows: it is ours all the same if its audit bears our fence. */
  const begunBefore = async (next: EventRecord): Promise<boolean> => {
    const [audit] = await audits(next.fingerprint, [next.generation])
    return audit?.fence === next.fence
  }

  return {
    async begin(seen, by, act, body, to): Promise<BeginAnswer> {
      const next = replayed(seen, by, body, to)
      const replaying = async (): Promise<Transacted> => {
        // First, and not in the transaction: a guard may outlive its record, and one that is another's stops no replay.
        await extendGuard(dynamo, table, next, by.now)
        return dynamo.transactWriteItems({
          ClientRequestToken: by.fence,
          TransactItems: [
            { Update: { ...replayUpdate(table, seen, next, by) } },
            // Under the record's condition: an audit of this generation is of an act that never came to be.
            { Put: { TableName: table, Item: auditItem(auditOf(seen, next, by, act)) } },
          ],
        })
      }
      const answer = await answered(replaying())
      if (answer.kind === 'written') return { kind: 'begun', record: next }
      if (await begunBefore(next).catch(() => false)) return { kind: 'begun', record: next }
      return answer.kind === 'unavailable' ? answer : refusal(answer)
    },

    async note(audit, since) {
      const answer = await answered(dynamo.putItem(put(table, auditItem(audit), noteAct, { ...at(audit.at), since })))
      return answer.kind === 'unavailable' ? answer : { kind: 'noted' }
    },

    audits,
    recent: async (from, until, limit) => (await readLog(dynamo, table, 'audit', { from, until, limit })).map(toAudit),
  }
}

export const readAudits = async (
  dynamo: Pick<DynamoCalls, 'batchGetItem'>,
  table: string,
  fingerprint: Fingerprint,
  names: readonly AuditName[],
): Promise<readonly Audit[]> => {
  const keys = names.map(name => ({ fingerprint: auditKey(fingerprint, name) }))
  const items = await getAll(dynamo, table, keys, { consistent: true })
  return items.map(toAudit).sort((left, right) => left.generation - right.generation || left.at - right.at)
}

const replayUpdate = (table: string, seen: EventRecord, next: EventRecord, { now }: Ownership): UpdateItem =>
  update(table, { fingerprint: seen.fingerprint }, replay, {
    ...next,
    ...listingKeys(next.fingerprint, next.claimedAt),
    seenStatus: seen.status,
    seenFence: seen.fence,
    seenGeneration: seen.generation,
    to: changedTo(seen.to, next.to),
    // Only a copy has them.
    madeBy: next.madeBy ?? undefined,
    madeIn: next.madeIn,
    ...at(now),
  })

export const refusal = ({
  reasons,
  error,
}: Extract<Transacted, { kind: 'cancelled' }>): Exclude<BeginAnswer, { kind: 'begun' }> => {
  const codes = reasons.map(({ code }) => code)
  if (codes.includes('ConditionalCheckFailed')) return { kind: 'superseded' }
  return codes.includes('TransactionConflict') ? { kind: 'contended' } : unavailable(error)
}

export const auditKey = (fingerprint: Fingerprint, name: AuditName): string => `audit:${fingerprint}:${name}`

export const auditName = ({ act, generation }: Pick<Audit, 'act' | 'generation'>): AuditName =>
  act === 'erase' ? 'erased' : generation

export const auditItem = ({ fingerprint, job, was, before, ...audit }: Audit): Item => ({
  ...audit,
  ...(job !== null && { job }),
  ...(was !== null && { was }),
  ...(before !== null && { before }),
  fingerprint: auditKey(fingerprint, auditName(audit)),
  of: fingerprint,
  expiresAt: plus(toSeconds(audit.at), seconds(LOGGED_SECONDS)),
  ...logKeys('audit', audit.at, fingerprint),
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
  before: (item.before as Audit['before'] | undefined) ?? null,
})
