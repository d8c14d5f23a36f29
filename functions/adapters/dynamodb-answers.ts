import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { AnswerClaim, AnswerClaimed, AnswerStore, KeptAnswer } from '../domain/answers.ts'
import { type Fence, type Millis, type Seconds, type Sha256, toSeconds } from '../domain/brands.ts'
import type { MoveAnswer } from '../domain/ports.ts'
import { isExpired } from '../domain/record.ts'
import {
  ABSENT,
  all,
  any,
  EXPIRED,
  FINISHED,
  LEASE_PASSED,
  OWN_FENCE,
  RUNNING,
  SAME_PAYLOAD,
  STATUS_NAME,
  statusValues,
} from './dynamodb-conditions.ts'
import { unavailable } from './fault.ts'

/** Nothing of an abandoned claim is worth keeping, so that a takeover is the same one write. */
const MAY_CLAIM = any(ABSENT, EXPIRED, all(RUNNING, OWN_FENCE), all(RUNNING, LEASE_PASSED, SAME_PAYLOAD))
const MAY_COMPLETE = all(OWN_FENCE, any(RUNNING, FINISHED))
const MAY_RELEASE = all(OWN_FENCE, RUNNING)

/** As it lies in the table of the events, without a `listing`: no list and no recovery sees it. */
interface Item {
  readonly payload: Sha256
  readonly status: 'running' | 'finished'
  readonly fence: Fence
  readonly leaseUntil: Millis
  readonly expiresAt: Seconds
  readonly answer?: KeptAnswer
}

export const dynamodbAnswers = (client: DynamoDBDocumentClient, table: string): AnswerStore => {
  const put = async (claim: AnswerClaim): Promise<AnswerClaimed> => {
    const { now, ...item } = claim
    try {
      const { Attributes } = await client.send(
        new PutCommand({
          TableName: table,
          Item: { ...item, status: 'running' },
          ConditionExpression: MAY_CLAIM,
          ExpressionAttributeNames: STATUS_NAME,
          ExpressionAttributeValues: {
            ...statusValues('running'),
            ':fence': claim.fence,
            ':payload': claim.payload,
            ':now': now,
            ':nowSeconds': toSeconds(now),
          },
          ReturnValues: 'ALL_OLD',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      )
      return { kind: 'won', tookOver: wasThere(Attributes as Item | undefined, claim) }
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error
      return lostTo((error.Item && unmarshall(error.Item)) ?? (await read(claim)), claim)
    }
  }

  const read = async ({ fingerprint }: AnswerClaim) =>
    (await client.send(new GetCommand({ TableName: table, Key: { fingerprint }, ConsistentRead: true }))).Item

  const move = async (
    { fingerprint, fence }: AnswerClaim,
    { ExpressionAttributeValues, ...update }: Omit<UpdateCommandInput, 'TableName' | 'Key'>,
  ): Promise<MoveAnswer> => {
    try {
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { fingerprint },
          ExpressionAttributeNames: STATUS_NAME,
          ExpressionAttributeValues: { ':fence': fence, ...ExpressionAttributeValues },
          ...update,
        }),
      )
      return { kind: 'moved' }
    } catch (error) {
      return error instanceof ConditionalCheckFailedException ? { kind: 'superseded' } : unavailable(error)
    }
  }

  return {
    async claim(claim) {
      try {
        return await put(claim)
      } catch (error) {
        return unavailable(error)
      }
    },

    complete: (owned, answer, expiresAt) =>
      move(owned, {
        ConditionExpression: MAY_COMPLETE,
        UpdateExpression: 'SET #status = :finished, answer = :answer, expiresAt = :expiresAt',
        ExpressionAttributeValues: {
          ...statusValues('running', 'finished'),
          ':answer': answer,
          ':expiresAt': expiresAt,
        },
      }),

    release: (owned, now) =>
      move(owned, {
        ConditionExpression: MAY_RELEASE,
        UpdateExpression: 'SET leaseUntil = :now',
        ExpressionAttributeValues: { ...statusValues('running'), ':now': now },
      }),
  }
}

/** Our own as well: the answer to the first try was lost, and with it whom that had taken the key from. */
const wasThere = (before: Item | undefined, { now }: AnswerClaim): boolean =>
  before !== undefined && !isExpired(before, toSeconds(now))

/** Nothing there any more: somebody was, a moment ago. */
const lostTo = (found: Record<string, unknown> | undefined, claim: AnswerClaim): AnswerClaimed => {
  if (!found) return { kind: 'running', leaseUntil: claim.now }
  const { payload, status, leaseUntil, answer, expiresAt } = found as unknown as Item
  if (payload !== claim.payload) return { kind: 'mismatch' }
  return status === 'finished' && answer ? { kind: 'finished', answer, expiresAt } : { kind: 'running', leaseUntil }
}
