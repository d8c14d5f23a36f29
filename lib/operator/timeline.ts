import { iso, millis } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Audit } from '../../functions/domain/replay.ts'
import type { DeliveryLine, ReadLine, WorkLine } from './read-line.ts'

/** A step in the life of an event. */
export interface TimelineEntry {
  readonly time: string
  readonly what:
    | 'received'
    | 'claimed'
    | 'duplicate'
    | 'in-flight'
    | 'unavailable'
    | 'queued'
    | 'working'
    | 'attempt-failed'
    | 'done'
    | 'failed'
    | 'ignored'
    | 'skipped'
    | 'reopened'
    | 'replayed'
  readonly generation: number | null
  /** For people: the answer, the error, who and why. */
  readonly detail: string
}

type What = TimelineEntry['what']

interface Step {
  readonly at: number
  readonly what: What
  readonly generation: number | null
  readonly detail: string
}

/** The life of an event, oldest first: what lines and operators say and, where they are silent, what its record knows. */
export const timeline = (
  record: EventRecord,
  audits: readonly Audit[],
  lines: readonly ReadLine[],
): readonly TimelineEntry[] => {
  const told = [
    ...lines.flatMap(line => (line.kind === 'delivery' ? deliverySteps(line) : workSteps(line))),
    ...audits.map(replayStep),
  ]
  return [...told, ...recordSteps(record, told)]
    .map((step, _, steps) => (step.what === 'queued' ? { ...step, at: queuedAt(step, steps) } : step))
    .sort((left, right) => left.at - right.at || RANK[left.what] - RANK[right.what])
    .map(({ at, ...step }) => ({ time: iso(millis(at)), ...step }))
}

/** The sender is answered after the send: a quick consumer may have begun by then. */
const queuedAt = ({ at }: Step, steps: readonly Step[]): number =>
  Math.min(at, ...steps.filter(step => step.what === 'working' && step.at > at - QUICK_MS).map(step => step.at))

const QUICK_MS = 5_000

const deliverySteps = (line: DeliveryLine): Step[] => {
  const answered = `answered ${line.status} after ${line.milliseconds} ms`
  const attempt = line.attempt === null ? '' : `, the sender's try ${line.attempt}`
  const arrived = line.at - line.milliseconds
  const step = (at: number, what: What, detail: string): Step => ({ at, what, generation: null, detail })
  switch (line.outcome) {
    case 'accepted':
    case 'batch':
      return [
        step(arrived, line.reopened ? 'reopened' : 'received', `${howTaken(line)}${answered}${attempt}`),
        step(line.at, 'queued', ''),
      ]
    case 'duplicate':
      return [step(arrived, 'duplicate', `${line.bodyChanged ? 'with another body, ' : ''}${answered}${attempt}`)]
    case 'in-flight':
      return [step(arrived, 'in-flight', `${answered}${attempt}`)]
    default:
      return [step(arrived, 'unavailable', `${line.reason ?? line.outcome}, ${answered}${attempt}`)]
  }
}

const howTaken = ({ reopened, tookOver, outcome }: DeliveryLine): string => {
  if (reopened) return 'sent again after it had failed, '
  if (tookOver) return 'took over from a delivery that died, '
  return outcome === 'batch' ? 'one of several in a delivery, ' : ''
}

const workSteps = (line: WorkLine): Step[] => {
  const what = ENDED[line.work]
  if (what === undefined) return []
  const { at, generation } = line
  const received = line.receiveCount > 1 ? `received ${line.receiveCount} times` : ''
  const attempt = line.attempts === null ? received : `attempt ${line.attempts}`
  const end = { at, what, generation, detail: line.says || `after ${line.milliseconds} ms` }
  if (what === 'skipped') return [end]
  return [{ at: at - line.milliseconds, what: 'working', generation, detail: attempt }, end]
}

const ENDED: Readonly<Record<string, What>> = {
  done: 'done',
  failed: 'failed',
  ignored: 'ignored',
  'attempt-failed': 'attempt-failed',
  skipped: 'skipped',
}

const replayStep = ({ act, actor, reason, at, generation, job }: Audit): Step => ({
  at,
  what: 'replayed',
  generation,
  detail: `${act === 'accept' ? 'accepted from quarantine ' : ''}by ${actor}: ${reason}${job === null ? '' : ` (job ${job})`}`,
})

/** Lines may have expired, or be hidden from this operator: the record always knows the first and the last. */
const recordSteps = (record: EventRecord, told: readonly Step[]): Step[] => {
  const { firstSeenAt, claimedAt, updatedAt, status, generation, lastError, ignoredBecause } = record
  const says = (what: What): boolean =>
    told.some(step => step.what === what && (step.generation === null || step.generation === generation))
  return [
    ...(told.some(step => step.what === 'received')
      ? []
      : [{ at: firstSeenAt, what: 'received' as const, generation: 0, detail: '' }]),
    { at: claimedAt, what: 'claimed', generation, detail: '' },
    ...(status === 'claimed' || says(status)
      ? []
      : [{ at: updatedAt, what: status, generation, detail: ignoredBecause ?? lastError ?? '' }]),
  ]
}

/** Of what happened within one millisecond, what comes first. */
const RANK = {
  received: 0,
  reopened: 0,
  replayed: 0,
  claimed: 1,
  queued: 2,
  working: 3,
  'attempt-failed': 4,
  done: 5,
  failed: 5,
  ignored: 5,
  duplicate: 6,
  'in-flight': 6,
  unavailable: 6,
  skipped: 7,
} as const satisfies Record<What, number>
