import { plus, seconds, toSeconds } from '../domain/brands.ts'
import { answered } from '../domain/fault.ts'
import type { Job, JobStore } from '../domain/job.ts'
import { createJob, saveJob } from '../domain/protocol.ts'
import { LOGGED_SECONDS, logKeys, readLog } from './dynamodb-operator-log.ts'
import { at, put } from './expressions.ts'
import type { DynamoCalls, Item } from './wire/dynamo-calls.ts'

/** Bulk replays as items beside the events, which no listing of events shows. */
export const dynamodbJobs = (
  { dynamo }: { readonly dynamo: DynamoCalls },
  { eventsTable: table }: { readonly eventsTable: string },
): JobStore => ({
  async create(job) {
    const answer = await dynamo.putItem(put(table, jobItem(job), createJob, at(job.startedAt)))
    if (answer.kind !== 'written') throw new Error(`the job ${job.id} exists`)
  },

  async save(job) {
    const answer = await answered(dynamo.putItem(put(table, jobItem(job), saveJob, {})))
    if (answer.kind === 'unavailable') return answer
    return { kind: answer.kind === 'written' ? 'saved' : 'ended' }
  },

  async read(id) {
    const item = await dynamo.getItem({ TableName: table, Key: { fingerprint: keyOf(id) }, ConsistentRead: true })
    return item && toJob(item)
  },

  recent: async (from, until, limit) => (await readLog(dynamo, table, 'job', { from, until, limit })).map(toJob),
})

const keyOf = (id: string): string => `job:${id}`

const jobItem = (job: Job): Item => ({
  fingerprint: keyOf(job.id),
  job,
  expiresAt: plus(toSeconds(job.updatedAt), seconds(LOGGED_SECONDS)),
  ...logKeys('job', job.startedAt, job.id),
})

const toJob = ({ job }: Item): Job => job as Job
