import { systemClock } from '../../functions/adapters/system.ts'
import { millis } from '../../functions/domain/brands.ts'
import type { Clock } from '../../functions/domain/ports.ts'
import { type Instance, readInstance } from './instance.ts'
import { type Refusal, refuse } from './refusal.ts'

export const runningInstance = (): Instance | Refusal =>
  readInstance(process.cwd()) ?? refuse('No local instance runs in this directory: start one with `npm start`.')

/** A local instance with a frozen clock is spoken to at its own time. */
export const clockOf = ({ now }: Pick<Instance, 'now'>): Clock => {
  if (now === null) return systemClock
  const frozen = millis(Date.parse(now))
  return () => frozen
}
