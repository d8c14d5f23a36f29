import type { AnswerClaim, AnswerClaimed, AnswerStore, KeptAnswer } from '../domain/answers.ts'
import { type Fence, type Millis, type Seconds, type Sha256, toSeconds } from '../domain/brands.ts'
import { answered } from '../domain/fault.ts'
import { claimKey, completeKey, releaseKey } from '../domain/protocol.ts'
import { isExpired } from '../domain/record.ts'
import { at, put, update } from './expressions.ts'
import { moved } from './moved.ts'
import type { DynamoCalls, Item } from './wire/dynamo-calls.ts'

/** As it lies in the table of the events, without a `listing`: no list and no recovery sees it. */
interface Stored {
  readonly payload: Sha256
  readonly status: 'running' | 'finished'
  readonly fence: Fence
  readonly leaseUntil: Millis
  readonly expiresAt: Seconds
  readonly answer?: KeptAnswer
}

/** Who answers an Idempotency-Key, and what was answered. */
export const dynamodbAnswers = (
  { dynamo }: { readonly dynamo: Pick<DynamoCalls, 'putItem' | 'updateItem' | 'getItem'> },
  { eventsTable: table }: { readonly eventsTable: string },
): AnswerStore => {
  const claimed = async (wanted: AnswerClaim): Promise<AnswerClaimed> => {
    const { now, ...item } = wanted
    const claiming = put(table, { ...item, status: 'running' }, claimKey, { ...wanted, ...at(now) })
    const written = await dynamo.putItem({ ...claiming, ReturnValues: 'ALL_OLD' })
    if (written.kind === 'written') return { kind: 'won', tookOver: wasThere(written.item, wanted) }
    return lostTo(written.item ?? (await read(wanted)), wanted)
  }

  const read = ({ fingerprint }: AnswerClaim) =>
    dynamo.getItem({ TableName: table, Key: { fingerprint }, ConsistentRead: true })

  return {
    claim: wanted => answered(claimed(wanted)),

    complete: async ({ fingerprint, fence }, answer, expiresAt) => {
      const said = { fence, answer, expiresAt }
      return moved(await answered(dynamo.updateItem(update(table, { fingerprint }, completeKey, said))))
    },

    release: async ({ fingerprint, fence }, now) =>
      moved(await answered(dynamo.updateItem(update(table, { fingerprint }, releaseKey, { fence, leaseUntil: now })))),
  }
}

/** Our own as well: the answer to the first try was lost, and with it whom that had taken the key from. */
const wasThere = (before: Item | undefined, { now }: AnswerClaim): boolean =>
  before !== undefined && !isExpired(before as unknown as Stored, toSeconds(now))

/** Nothing there any more: somebody was, a moment ago. */
const lostTo = (found: Item | undefined, claim: AnswerClaim): AnswerClaimed => {
  if (!found) return { kind: 'running', leaseUntil: claim.now }
  const { payload, status, leaseUntil, answer, expiresAt } = found as unknown as Stored
  if (payload !== claim.payload) return { kind: 'mismatch' }
  return status === 'finished' && answer ? { kind: 'finished', answer, expiresAt } : { kind: 'running', leaseUntil }
}
