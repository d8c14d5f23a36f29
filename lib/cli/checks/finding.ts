import type { Source } from '../../../functions/domain/source.ts'
import type { Connection } from '../../connect/connection.ts'

/** `wrong`: events are refused, stuck or lost. `warning`: they may be. `unknown`: it could not be looked at. */
export type Level = 'ok' | 'warning' | 'wrong' | 'unknown'

export interface Finding {
  /** What was looked at: `secrets`, `alarms`, ... */
  readonly check: string
  readonly level: Level
  /** A source, a queue, an alarm; null for the whole. */
  readonly subject: string | null
  readonly says: string
  /** A command or a page that fixes or explains it. */
  readonly fix: string | null
}

export interface Deployment {
  readonly connection: Connection
  readonly sources: ReadonlyMap<string, Source>
  /** For tests: instead of the hosts of senders. */
  readonly apiUrl?: string | undefined
}

/** Throws when it cannot look; what it finds are values. */
export type Check = (deployment: Deployment) => Promise<readonly Omit<Finding, 'check'>[]>

export const fine = (says: string): Omit<Finding, 'check'> => ({ level: 'ok', subject: null, says, fix: null })
