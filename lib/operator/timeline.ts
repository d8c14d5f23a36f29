import type { Status } from '../../functions/contract/status.ts'
import { iso, millis } from '../../functions/domain/brands.ts'
import { hasCopies } from '../../functions/domain/copies.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { Audit } from '../../functions/domain/replay.ts'
import type { DeliveryLine, ReadLine, WorkLine } from './read-line.ts'

/** A step in the life of an event. */
export interface TimelineEntry {
  readonly time: string
  readonly what: keyof typeof RANK
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

/** The life of an event, oldest first: what lines and operators say and, if they are silent, what its record and audits know. */
export const timeline = (
  record: EventRecord,
  audits: readonly Audit[],
  lines: readonly ReadLine[],
  copies: readonly EventRecord[] = [],
): readonly TimelineEntry[] => {
  const own = audits.filter(({ fingerprint }) => fingerprint === record.fingerprint)
  const lives = livesOf(record, own)
  const told = [
    ...lines.flatMap(line => (line.kind === 'delivery' ? deliverySteps(line) : workSteps(line))),
    ...own.map(replayStep),
    ...copies.flatMap(copy => copyAuditSteps(copy, audits)),
    ...copies.flatMap(copy => copySteps(copy, lines)),
  ].map(step => (step.what === 'queued' ? inItsGeneration(step, lives) : step))
  const received: Step[] = told.some(({ what }) => what === 'received')
    ? []
    : [{ at: record.firstSeenAt, what: 'received', generation: 0, detail: '' }]
  const steps = [...told, ...received, ...lives.flatMap(life => lifeSteps(life, told))]
  return [...steps.filter(({ what }) => what !== 'queued'), ...queuedOnce(steps, lives)]
    .sort((left, right) => left.at - right.at || RANK[left.what] - RANK[right.what])
    .map(step => (hasCopies(record) ? handedOn(step) : step))
    .map(({ at, ...step }) => ({ time: iso(millis(at)), ...step }))
}

/** An event with several destinations is done itself before any of its copies is. */
const handedOn = (step: Step): Step =>
  step.what === 'done' && step.generation !== null
    ? { ...step, detail: ['a copy is on its way to each destination', step.detail].filter(Boolean).join(', ') }
    : step

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
    case 'ignored':
      return [
        step(arrived, 'received', `${answered}${attempt}`),
        { at: line.at, what: 'ignored', generation: 0, detail: 'no route matches' },
      ]
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
  if (line.copyOf !== null && line.copyOf !== line.id) return copyLineSteps(line, what)
  const { at, generation } = line
  const received = line.receiveCount > 1 ? `received ${line.receiveCount} times` : ''
  const attempt = line.attempts === null ? received : `attempt ${line.attempts}`
  const end = { at, what, generation, detail: line.says || `after ${line.milliseconds} ms` }
  if (what === 'skipped') return [end]
  return [
    ...(line.sentAt === null ? [] : [{ at: line.sentAt, what: 'queued' as const, generation, detail: '' }]),
    { at: at - line.milliseconds, what: 'working', generation, detail: attempt },
    end,
  ]
}

/** Of a copy: which destination it was for stands before the rest. */
const copyLineSteps = ({ at, destination, says, milliseconds }: WorkLine, what: What): Step[] => [
  { at, what, generation: null, detail: `${destination}: ${says || `after ${milliseconds} ms`}` },
]

/** Its generations are its own, and not those of the event. */
const copyAuditSteps = ({ fingerprint, to }: EventRecord, audits: readonly Audit[]): Step[] =>
  audits
    .filter(audit => audit.fingerprint === fingerprint)
    .map(replayStep)
    .map(step => ({ ...step, generation: null, detail: `${to[0]}: ${step.detail}` }))

/** What its record knows, if no line says so. */
const copySteps = (
  { fingerprint, to, status, updatedAt, lastError, ignoredBecause }: EventRecord,
  lines: readonly ReadLine[],
): Step[] => {
  const isTold = lines.some(line => line.kind === 'work' && line.id === fingerprint && line.work === status)
  if (status === 'claimed' || isTold) return []
  const says = ignoredBecause ?? lastError
  return [{ at: updatedAt, what: status, generation: null, detail: `${to[0]}${says === null ? '' : `: ${says}`}` }]
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
  what: STEPS[act],
  generation,
  detail: `${HOW[act]}by ${actor}: ${reason}${job === null ? '' : ` (job ${job})`}`,
})

const STEPS = {
  replay: 'replayed',
  accept: 'replayed',
  reconcile: 'received',
  erase: 'erased',
} as const satisfies Record<Audit['act'], What>

const HOW = {
  replay: '',
  accept: 'accepted from quarantine ',
  reconcile: "taken from the sender's own list ",
  erase: '',
} as const satisfies Record<Audit['act'], string>

/** What is known of one generation apart from its lines. */
interface Life {
  readonly generation: number
  readonly claimedAt: number
  /** Where it stands or how it ended; null if nobody noted it. */
  readonly status: Status | null
  readonly updatedAt: number
  readonly says: string | null
}

/** The record knows the last generation, and the audit of a replay knows the one before it. */
const livesOf = (record: EventRecord, audits: readonly Audit[]): readonly Life[] => {
  const { firstSeenAt, generation: last, status, lastError, ignoredBecause } = record
  const lives = new Map<number, Life>([[0, begunAt(0, firstSeenAt)]])
  for (const { act, at, generation, was, before } of audits) {
    // Of an earlier life of the event, which was forgotten since.
    if (at < firstSeenAt) continue
    if (before !== null) lives.set(generation - 1, { generation: generation - 1, ...before, status: was })
    if (act === 'replay') lives.set(generation, begunAt(generation, at))
  }
  const { claimedAt, updatedAt } = record
  lives.set(last, { generation: last, claimedAt, updatedAt, status, says: ignoredBecause ?? lastError })
  return [...lives.values()].sort((left, right) => left.generation - right.generation)
}

const begunAt = (generation: number, at: number): Life => ({
  generation,
  claimedAt: at,
  status: null,
  updatedAt: at,
  says: null,
})

/** Lines may have expired, or be hidden from this operator. */
const lifeSteps = ({ generation, claimedAt, status, updatedAt, says }: Life, told: readonly Step[]): Step[] => {
  const claim: Step = { at: claimedAt, what: 'claimed', generation, detail: '' }
  const isTold = told.some(step => step.what === status && step.generation === generation)
  if (status === null || status === 'claimed' || isTold) return [claim]
  return [claim, { at: updatedAt, what: status, generation, detail: says ?? '' }]
}

/** A delivery does not know which generation it began. */
const inItsGeneration = (step: Step, lives: readonly Life[]): Step => ({
  ...step,
  generation: step.generation ?? lives.findLast(({ claimedAt }) => claimedAt <= step.at)?.generation ?? 0,
})

/** Its delivery and each of its attempts tell of it. Never before the claim nor after the first attempt, whatever their clocks say. */
const queuedOnce = (steps: readonly Step[], lives: readonly Life[]): Step[] => {
  const queued = new Map(steps.filter(({ what }) => what === 'queued').map(step => [step.generation, step]))
  return [...queued].map(([generation, step]) => {
    const earliest = (what: What): number =>
      Math.min(...steps.filter(each => each.what === what && each.generation === generation).map(({ at }) => at))
    const claimedAt = lives.find(life => life.generation === generation)?.claimedAt ?? 0
    return { ...step, at: Math.min(Math.max(earliest('queued'), claimedAt), earliest('working')) }
  })
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
  erased: 8,
} as const
