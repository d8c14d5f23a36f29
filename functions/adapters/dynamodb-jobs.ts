import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { plus, seconds, toSeconds } from '../domain/brands.ts'
import type { Job, JobStore } from '../domain/job.ts'
import { ABSENT, all } from './dynamodb-conditions.ts'
import { DIARY_SECONDS, diaryKeys, readDiary } from './dynamodb-diary.ts'
import type { Item } from './dynamodb-record.ts'
import { unavailable } from './fault.ts'

const STILL_RUNNING = all('attribute_exists(fingerprint)', 'job.#state = :running')

/** Bulk replays as items beside the events, which no listing of events shows. */
export const dynamodbJobs = (client: DynamoDBDocumentClient, table: string): JobStore => ({
  async create(job) {
    await client.send(new PutCommand({ TableName: table, Item: jobItem(job), ConditionExpression: ABSENT }))
  },

  async save(job) {
    try {
      await client.send(
        new PutCommand({
          TableName: table,
          Item: jobItem(job),
          ConditionExpression: STILL_RUNNING,
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: { ':running': 'running' },
        }),
      )
      return { kind: 'saved' }
    } catch (error) {
      return error instanceof ConditionalCheckFailedException ? { kind: 'ended' } : unavailable(error)
    }
  },

  async read(id) {
    const { Item } = await client.send(
      new GetCommand({ TableName: table, Key: { fingerprint: keyOf(id) }, ConsistentRead: true }),
    )
    return Item && toJob(Item)
  },

  recent: async (from, until, limit) => (await readDiary(client, table, 'job', { from, until, limit })).map(toJob),
})

const keyOf = (id: string): string => `job:${id}`

const jobItem = (job: Job): Item => ({
  fingerprint: keyOf(job.id),
  job,
  expiresAt: plus(toSeconds(job.updatedAt), seconds(DIARY_SECONDS)),
  ...diaryKeys('job', job.startedAt, job.id),
})

const toJob = ({ job }: Item): Job => job as Job
