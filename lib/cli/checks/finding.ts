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

export type Found = Omit<Finding, 'check'>

/** Throws when it cannot look; what it finds are values. */
export type Check = (deployment: Deployment) => Promise<readonly Found[]>

const found =
  (level: Level) =>
  (says: string, fix: string | null = null, subject: string | null = null): Found => ({ level, subject, says, fix })

export const fine = found('ok')
export const warning = found('warning')
export const wrong = found('wrong')
export const unknown = found('unknown')
