import type { Metric } from '../../functions/contract/metrics.ts'
import type { Millis } from '../../functions/domain/brands.ts'
import { type Counts, lastOf } from './counts.ts'

/** None of these is counted before the signature has been checked. */
export const USE_METRICS = ['Accepted', 'Duplicate', 'InFlight', 'PreviousSecret'] as const satisfies readonly Metric[]

/** When a secret of a source last verified a delivery; null when not within the time that was looked at. */
export interface SecretUse {
  readonly lastUsedAt: Millis | null
  /** By a secret that a rotation has replaced: when its sender has changed over, this stands still. */
  readonly previousUsedAt: Millis | null
}

export const secretUse = (counts: Counts, source: string): SecretUse => ({
  lastUsedAt: lastOf(counts, source, ...USE_METRICS),
  previousUsedAt: lastOf(counts, source, 'PreviousSecret'),
})

/** Its sender signs with the current secret since the last change, and did so later than with the previous one. */
export const hasChangedOver = ({ lastUsedAt, previousUsedAt }: SecretUse, changedAt: Millis | null): boolean =>
  lastUsedAt !== null && changedAt !== null && lastUsedAt > Math.max(changedAt, previousUsedAt ?? 0)
