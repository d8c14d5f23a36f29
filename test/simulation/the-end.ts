import { dynamodbReplays } from '../../functions/adapters/dynamodb-replays.ts'
import { idempotencyKey } from '../../functions/consume/handler-event.ts'
import { BURIED_BODY_SECONDS } from '../../functions/contract/queues.ts'
import { isOver } from '../../functions/contract/status.ts'
import { toSeconds } from '../../functions/domain/brands.ts'
import { hasCopies } from '../../functions/domain/copies.ts'
import { type EventRecord, isExpired } from '../../functions/domain/record.ts'
import type { Mode, SimEvent } from './actors.ts'
import { judgeErasures } from './erasers.ts'
import { isTooLong } from './ingredients.ts'
import { isSettled } from './is-settled.ts'
import { judgeCopies, judgeDelay, livedElsewhere, modeAt } from './judge-copies.ts'
import { bodyOf } from './kept-body-of.ts'
import type { Rig } from './rig.ts'
import { DESTINATION_URLS, deadLettersOf } from './sim-destinations.ts'
import { NAMES } from './watch-writes.ts'

/** Faults have stopped and time has passed: nothing acknowledged may be unfinished, and every account must balance. */
export const judgeTheEnd = async (rig: Rig, events: readonly SimEvent[]): Promise<void> => {
  for (const event of events) await judgeEvent(rig, event)
  for (const record of rig.records.values()) {
    await judgeRecord(rig, record)
    await judgeGenerations(rig, record)
  }
  await judgeErasures(rig)

  const { ledger, aws } = rig
  const left = queuesOf(rig).map(url => aws.messages(url).length)
  ledger.check(
    'L3 the queues drain',
    left.every(count => count === 0),
    () => `${left.join(' and ')} left`,
  )
  const answers = Object.values(ledger.answers).reduce((sum, count) => sum + count, 0)
  const balance = () => `${ledger.received} received, ${JSON.stringify(ledger.answers)}`
  ledger.check('A1 every delivery has one answer, or is counted as unknown', answers === ledger.received, balance)
}

/** Every queue that there is, and where its dead letters go. */
export const queuesOf = ({ ingredients: { destined } }: Rig): readonly string[] =>
  destined ? [...QUEUES, ...DESTINED_QUEUES] : QUEUES

const QUEUES = [NAMES.queueUrl, NAMES.orderedQueueUrl, NAMES.deadLettersUrl, NAMES.orderedDeadLettersUrl]
const DESTINED_QUEUES = Object.values(DESTINATION_URLS).flatMap(url => [url, deadLettersOf(url)])

const judgeEvent = async (rig: Rig, event: SimEvent): Promise<void> => {
  const { ledger, records } = rig
  const { id } = event
  const retries = event.source !== 'github' && !event.isMissed
  ledger.check(
    'L4 a sender that retries is acknowledged in the end',
    !retries || event.acknowledged || event.refused,
    () => `${id} after ${event.tries} tries`,
  )
  if (!event.acknowledged) return
  const record = event.fingerprint && records.get(event.fingerprint)
  ledger.check('L1 an acknowledged event has a record', record !== undefined || isForgotten(rig, event), () => id)
  if (!record || isForgotten(rig, event)) return
  if (record.to.length === 0) {
    ledger.check('S15 what no route wants is ignored, and has no effect', isUntouched(rig, record), () => id)
  } else if (!hasCopies(record)) {
    judgeHandled(rig, record, event, record.to[0])
  } else {
    judgeStatus(rig, record, id, 'effect')
    const copies = record.status === 'done' ? await judgeCopies(rig, record) : []
    for (const copy of copies) {
      judgeHandled(rig, copy.record, event, copy.destination)
      judgeDelay(rig, record, copy)
    }
  }
}

/** Of an earlier generation, or of an earlier life, somebody may have wanted it. */
const isUntouched = ({ ledger }: Rig, { fingerprint, status, generation, edition }: EventRecord): boolean =>
  status === 'ignored' &&
  (generation > 0 ||
    ledger.erased.has(fingerprint) ||
    ledger.forgotten.has(fingerprint) ||
    (!ledger.hasForwarded(fingerprint, 0) && !ledger.effects.has(idempotencyKey({ id: fingerprint, edition }))))

const judgeHandled = (rig: Rig, record: EventRecord, event: SimEvent, destination: string | undefined): void => {
  const { ledger } = rig
  const { id } = event
  if (livedElsewhere(rig, record)) return
  const mode = modeAt(event, destination)
  judgeStatus(rig, record, id, mode)
  ledger.check('ignored is what a handler ignored', (record.status === 'ignored') <= (mode === 'ignore'), () => id)
  if (record.status !== 'done') return
  ledger.check('a handler that always fails is never done', !isHopeless(mode), () => id)
  const happened =
    mode === 'commit'
      ? ledger.commits.has(`${record.fingerprint}/${record.generation}`)
      : ledger.effects.has(idempotencyKey({ id: record.fingerprint, edition: record.edition }))
  ledger.check('done means that the effect happened', happened, () => `${id} (${mode}) is done without its effect`)
}

const isHopeless = (mode: Mode): boolean => mode === 'poison' || mode === 'unprocessable'

const judgeStatus = (rig: Rig, record: EventRecord, id: string, mode: Mode): void => {
  const { ledger } = rig
  const alwaysFails = isHopeless(mode)
  ledger.check(
    'a healthy handler ends in done, or says why not',
    record.status === (mode === 'ignore' ? 'ignored' : 'done') ||
      alwaysFails ||
      record.lastError !== null ||
      record.erasedAt !== undefined ||
      isLostClaim(rig, record),
    () => `${id} (${mode}) is ${record.status}`,
  )
  ledger.check(
    'S13 trouble of ours alone makes nothing failed',
    record.status === 'done' || record.status === 'ignored' || alwaysFails || isExcused(rig, record),
    () => `${id} (${mode}) is ${record.status}: ${record.lastError}`,
  )
}

/**
 * Its record expired, or was erased when it was over. If it was erased earlier, its message makes it again; nothing is left to do
 * so if the workers are away for longer than a message lives, or nobody can read the body that it points to.
 */
const isForgotten = ({ ledger, ingredients, unreadable }: Rig, { fingerprint }: SimEvent): boolean =>
  fingerprint !== undefined &&
  (ledger.forgotten.has(fingerprint) ||
    (ledger.erased.has(fingerprint) && (isTooLong(ingredients) || unreadable === fingerprint)))

/** It had few tries, or its message was too old or of a later release, or its body cannot be read. */
const isExcused = (rig: Rig, record: EventRecord): boolean =>
  rig.ingredients.tries < 16 ||
  isTooLong(rig.ingredients) ||
  rig.unreadable === record.fingerprint ||
  rig.isRolledBack ||
  isHurried(rig, record) ||
  waitsForDeleted(rig, record)

/**
 * Each of two messages of an event waits for itself, so its tries are used up in half the time: fifteen hours, and its destination, or
 * S3 with its body, may be away for longer, or a copy of the life before it was deleted may be tried for longer. A known limit (docs/guarantees.md).
 */
const isHurried = (
  { ingredients: { destinationOut, outage }, ledger }: Rig,
  { fingerprint, generation, bodyAt }: EventRecord,
): boolean =>
  (destinationOut !== undefined ||
    (outage?.service === 's3' && bodyAt?.startsWith('s3:')) ||
    ledger.erased.has(fingerprint)) &&
  (ledger.messages.get(`${fingerprint}/${generation}`) ?? 0) > 1

/** A copy whose record was deleted by hand begins its tries anew, and a replay of its event waits for it with its own. A known limit, too. */
const waitsForDeleted = ({ ledger }: Rig, { fingerprint, lastError }: EventRecord): boolean =>
  lastError?.endsWith('is still working') === true &&
  [...ledger.erased.values()].some(({ copyOf }) => copyOf === fingerprint)

/**
 * A claim of a publisher who was acknowledged and will not send it again: its record was deleted by hand and a claim of before was
 * written late, or its settlement got lost and the workers were away for longer than its message lived. Recovery counts it as
 * lost, and it stays a claim: who was never acknowledged may still come, and has to find one that can be taken over.
 */
const isLostClaim = (rig: Rig, { fingerprint, source, status, bodyAt, leaseUntil }: EventRecord) =>
  source === 'orders' &&
  status === 'claimed' &&
  bodyAt === null &&
  leaseUntil < rig.timeline.now &&
  (rig.ledger.claimedAgain.has(fingerprint) || isTooLong(rig.ingredients))

/** Two weeks later even a claim that nobody looked at is over: recovery has to have tried its body before, and to have said so. */
const isLostUnseen = ({ ledger }: Rig, { fingerprint, generation, bodyAt, lastError }: EventRecord): boolean =>
  lastError?.startsWith('Lost') === true && bodyAt !== null && !ledger.hasForwarded(fingerprint, generation)

const judgeRecord = async (rig: Rig, record: EventRecord): Promise<void> => {
  const { ledger, ingredients, unreadable } = rig
  const { fingerprint, eventId, generation, status, bodyAt, lastError } = record
  if (isExpired(record, toSeconds(rig.timeline.now))) return
  if (fingerprint === unreadable) {
    ledger.check(
      'a body that nobody can read is named in its record',
      isSettled(rig, record) && !isLostUnseen(rig, record),
      () => `${eventId} is ${status}: ${lastError}`,
    )
    return
  }
  ledger.check(
    'L1 L2 every event ends done or failed',
    isOver(status) || isLostClaim(rig, record),
    () => `${eventId} stays ${status}, body at ${bodyAt}`,
  )
  const body = await bodyOf(rig, record, keptUntil(rig, record))
  if (body) ledger.carried('S8 a kept body has the bytes that were signed', { id: fingerprint, eventId }, body.bytes)
  if (status !== 'failed') return
  const isLost = wasLost(rig, record)
  // A claim that nobody could finish had no message, and nobody was told that it would be handled.
  // Nor had one that was over when somebody deleted it and that was claimed again: a worker's write of before, applied a minute
  // late, can take that claim, and nothing was sent for it.
  const isUnsent = ledger.forgotten.has(fingerprint) && ledger.claimedAgain.has(fingerprint)
  const hadMessage = ledger.hasForwarded(fingerprint, generation) && !isUnsent
  await judgeLost(rig, record)
  ledger.check('no message gets lost', !isLost || !hadMessage || isTooLong(ingredients), () => `${eventId} was lost`)
  ledger.check(
    'what was claimed with its body is finished without its sender',
    !isLost || bodyAt === null || hadMessage || ledger.erased.has(fingerprint),
    () => `${eventId} was lost, its body at ${bodyAt}`,
  )
  // The record outlives its body by a day, so an operator can see what became of it.
  const isPromised = rig.timeline.now < buriedUntil(rig, record)
  ledger.check(
    'a failed event keeps its body',
    body !== undefined ||
      !isPromised ||
      record.erasedAt !== undefined ||
      (bodyAt === null && (isLost || isTooLong(ingredients) || ledger.hollow.has(fingerprint))),
    () => `${eventId}: ${lastError}`,
  )
}

/** By the clock of whoever has said so. */
const buriedUntil = ({ ingredients: { skew } }: Rig, { updatedAt }: EventRecord): number =>
  updatedAt + BURIED_BODY_SECONDS * 1000 - 2 * skew

/** What is kept is there until the end of the time that it was said to be kept for, and not only now. What is lost is kept no longer by that. */
const keptUntil = (rig: Rig, record: EventRecord): number =>
  record.status === 'failed' && !wasLost(rig, record)
    ? Math.max(rig.timeline.now, buriedUntil(rig, record))
    : rig.timeline.now

const wasLost = ({ ledger }: Rig, { fingerprint, generation, lastError }: EventRecord): boolean =>
  lastError?.startsWith('Lost') === true || ledger.lost.get(fingerprint)?.generation === generation

/** What is lost and says that it has no body has none: whoever looks at it would believe that it cannot be replayed. */
const judgeLost = async (rig: Rig, record: EventRecord): Promise<void> => {
  const { fingerprint, generation, updatedAt, eventId, bodyAt } = record
  const before = rig.ledger.lost.get(fingerprint)
  if (before?.generation !== generation || before.bodyAt === null || bodyAt !== null) return
  const body = await bodyOf(rig, before, Math.max(updatedAt, rig.timeline.now))
  rig.ledger.check('a failed event keeps its body', body === undefined, () => `${eventId} had one at ${before.bodyAt}`)
}

/** Every generation after the first was begun by its sender, or by an operator whose name is known; no name stands for nothing. */
const judgeGenerations = async ({ ledger, aws, unreadable }: Rig, record: EventRecord): Promise<void> => {
  const { fingerprint, generation: last } = record
  const generations = Array.from({ length: last + 2 }, (_, index) => index)
  const all = await dynamodbReplays(aws.aws, NAMES).audits(fingerprint, generations)
  // Who had an event taken began no generation.
  const audits = all.filter(({ act }) => act === 'replay')
  for (const generation of generations) {
    const begun = ledger.generations.begun(fingerprint, generation)
    const audit = audits.find(each => each.generation === generation && !ledger.generations.isFormer(each.fence))
    ledger.check(
      'what an operator began has their name, and nothing else has',
      audit?.actor === begun?.asked.actor && audit?.fence === begun?.fence,
      () => `generation ${generation} by ${begun?.asked.actor}, noted ${audit?.actor}`,
    )
    // An abandoned claim may be replayed before recovery has finished it: then the next generation has to reach the queue.
    ledger.check(
      'L1 what an operator began reached the queue, it or what was begun after it',
      !begun || ledger.hasForwarded(fingerprint, generation) || fingerprint === unreadable,
      () => `generation ${generation} by ${begun?.process}`,
    )
  }
}
