import { iso } from '../../functions/domain/brands.ts'
import type { Audit } from '../../functions/domain/replay.ts'
import type { AuditEntry } from './operator.ts'

export const auditEntry = ({ fingerprint, at, fence, ...audit }: Audit): AuditEntry => ({
  time: iso(at),
  id: fingerprint,
  ...audit,
})
