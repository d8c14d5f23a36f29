import type { Job, JobStore } from '../domain/job.ts'

/** The twin of the DynamoDB job store. */
export const memoryJobs = (): JobStore => {
  const jobs = new Map<string, Job>()
  return {
    async create(job) {
      if (jobs.has(job.id)) throw new Error(`the job ${job.id} exists`)
      jobs.set(job.id, job)
    },
    async save(job) {
      if (jobs.get(job.id)?.state !== 'running') return { kind: 'ended' }
      jobs.set(job.id, job)
      return { kind: 'saved' }
    },
    read: async id => jobs.get(id),
    recent: async (from, until, limit) =>
      [...jobs.values()]
        .filter(({ startedAt }) => startedAt >= from && startedAt <= until)
        .sort((left, right) => right.startedAt - left.startedAt)
        .slice(0, limit),
  }
}
