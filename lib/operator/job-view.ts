import { iso } from '../../functions/domain/brands.ts'
import type { Job } from '../../functions/domain/job.ts'
import type { JobView } from './operator.ts'

export const jobView = ({ source, status, type, from, until, cursor, startedAt, updatedAt, ...job }: Job): JobView => ({
  ...job,
  filter: { source, status, type, from: iso(from), until: iso(until) },
  startedAt: iso(startedAt),
  updatedAt: iso(updatedAt),
})
