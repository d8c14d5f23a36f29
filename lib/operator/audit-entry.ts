import { iso, type Millis } from '../../functions/domain/brands.ts'
import type { Audit } from '../../functions/domain/replay.ts'

export interface AuditQuery {
  readonly from: Millis
  readonly until?: Millis | undefined
  readonly limit: number
}

export type AuditEntry = Readonly<ReturnType<typeof auditEntry>>

export const auditEntry = ({ fingerprint, at, fence, before, ...audit }: Audit) => ({
  time: iso(at),
  id: fingerprint,
  ...audit,
})
