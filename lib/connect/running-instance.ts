import { systemClock } from '../../functions/adapters/system.ts'
import { millis } from '../../functions/domain/brands.ts'
import type { Clock } from '../../functions/domain/ports.ts'
import { DEFAULT_SOURCE_FILE } from './default-files.ts'
import { type Instance, readInstance } from './instance.ts'
import { type Refusal, refuse } from './refusal.ts'

export const runningInstance = (): Instance | Refusal =>
  readInstance(process.cwd()) ?? refuse('No local instance runs in this directory: start one with `npm start`.')

/** Its sources, or those of the directory if none runs. */
export const sourceFileHere = (): string => readInstance(process.cwd())?.sourceFile ?? DEFAULT_SOURCE_FILE

/** A local instance with a frozen clock is spoken to at its own time. */
export const clockOf = ({ now }: Pick<Instance, 'now'>): Clock => {
  if (now === null) return systemClock
  const frozen = millis(Date.parse(now))
  return () => frozen
}
