import type { Over } from '../../functions/contract/status.ts'
import type { Millis } from '../../functions/domain/brands.ts'
import { iso } from '../../functions/domain/brands.ts'
import type { Audit } from '../../functions/domain/replay.ts'

export interface AuditQuery {
  readonly from: Millis
  readonly until?: Millis | undefined
  readonly limit: number
}

export interface AuditEntry {
  readonly time: string
  readonly act: Audit['act']
  readonly id: string
  /** The generation that began with it, or that was erased. */
  readonly generation: number
  /** What the event was before; null for a delivery accepted from quarantine. */
  readonly was: Over | 'claimed' | null
  readonly actor: string
  readonly reason: string
  readonly job: string | null
}

export const auditEntry = ({ fingerprint, at, fence, before, ...audit }: Audit): AuditEntry => ({
  time: iso(at),
  id: fingerprint,
  ...audit,
})
