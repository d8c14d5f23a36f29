import { isOver } from '../../functions/contract/status.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Rig } from './rig.ts'

/** Nothing is left to do with it: it is over, or nobody can read its body and its record says so. */
export const isSettled = ({ unreadable }: Rig, { status, fingerprint, lastError }: EventRecord): boolean =>
  isOver(status) || (fingerprint === unreadable && status === 'claimed' && lastError?.startsWith('Unreadable') === true)
