import { listingPosition } from '../contract/tables.ts'
import { iso, millis } from '../domain/brands.ts'
import { asSeen, withoutSeen } from '../domain/copies-of.ts'
import { causeOf } from '../domain/fault.ts'
import type { Job } from '../domain/job.ts'
import type { ListingCursor, Unavailable } from '../domain/ports.ts'
import type { EventRecord } from '../domain/record.ts'
import type { World } from '../domain/world.ts'
import { type EraseAnswer, type Erasing, erase } from './erase.ts'
import { forgetDeliveries } from './forget-deliveries.ts'
import type { JobView } from './job-view.ts'
import { jobView } from './job-view.ts'
import type { ReplayAnswer } from './replay.ts'
import { type Replaying, replay } from './replay.ts'
import { isMeant, isOver } from './replay-filter.ts'
import { walk } from './walk.ts'

export interface ReplayManyOptions {
  readonly onProgress?: (job: JobView) => void
  readonly stop?: AbortSignal
  /** A job of another act is not found: it has a permission of its own. @default 'replay' */
  readonly act?: JobView['act']
}

export type JobAnswer =
  /** `cause`: why one of those that were replayed was not sent at once. Recovery sends it. */
  | { readonly kind: 'finished' | 'cancelled' | 'stopped'; readonly job: JobView; readonly cause?: string }
  | { readonly kind: 'unknown' }
  /** Resume it when the service answers again. */
  | { readonly kind: 'unavailable'; readonly job: JobView; readonly cause: string }

export interface ReplayingMany extends Replaying, Erasing, World<'jobs'> {
  readonly actor: string
}

const PAGE = 100
/** How long a cancellation may go unnoticed, and how much a killed process forgets of its counts. */
const SAVE_EVERY_MS = 1_000
/** One body that cannot be read does not hold up the others; so many one after the other are an outage. */
const UNREADABLE_IN_A_ROW = 3
/** Nobody replays an event and has it erased at once. */
const SHORT_STRETCH_MS = 60_000
/** One of them takes some ten calls one after the other: a higher rate needs several at once. */
const REPLAYS_A_SECOND_EACH = 10

/**
 * Replays or erases what a job has not had yet, newest first. An event that is replayed gets a new place in the listing, after the end of
 * the job's stretch: so a job that is resumed, or run twice at once, meets each event once. The cursor only saves reading. To erase
 * an event twice does no harm.
 */
export const replayMany = async (
  world: ReplayingMany,
  id: string,
  { onProgress = () => {}, stop, act = 'replay' }: ReplayManyOptions = {},
): Promise<JobAnswer> => {
  const found = await world.jobs.read(id)
  if ((found?.act ?? 'replay') !== act || !found) return { kind: 'unknown' }
  if (found.state !== 'running') return { kind: found.state, job: jobView(found) }
  const progress = progressOf(world, found, onProgress)
  const ended = await everyEvent(world, found, progress, stop).catch(
    (error): Ended => ({ kind: 'unavailable', cause: causeOf(error) }),
  )
  const cause = progress.unsent()
  return { ...(cause !== undefined && { cause }), ...ended, job: jobView(progress.job()) }
}

type Ended = { readonly kind: 'finished' | 'cancelled' | 'stopped' } | Unavailable

const everyEvent = async (
  world: ReplayingMany,
  job: Job,
  progress: Progress,
  stop: AbortSignal | undefined,
): Promise<Ended> => {
  for (let goesOn = true; goesOn; goesOn = job.act === 'erase' && progress.goOn()) {
    const { from, until, cursor } = progress.job()
    const stretch = { from, until, now: world.now(), after: cursor, page: PAGE, copies: job.act === 'erase' }
    for await (const { records, reached } of walk(world.records, stretch)) {
      const ended = await replayPage(world, await meantBy(world, job, records), progress, stop)
      if (ended) return ended
      progress.reached(reached)
      if (stop?.aborted && reached !== null) return stopped(progress)
    }
  }
  if (job.act === 'erase') progress.countDeliveries(await forgetBefore(world, job))
  return (await progress.save('finished')) ?? { kind: 'finished' }
}

const meantBy = async (
  world: ReplayingMany,
  { act, source, status, type, before = millis(0) }: Job,
  records: readonly EventRecord[],
): Promise<readonly EventRecord[]> => {
  // Of those that are in flight it is said so.
  if (act === 'erase') {
    const found = records.filter(each => each.source === source && each.firstSeenAt < before)
    return withoutSeen(world.records, found, world.now())
  }
  const filter = { source: source ?? undefined, status: status ?? undefined, type: type ?? undefined }
  const seen = await asSeen(world.records, records, world.now())
  return seen.filter(record => isOver(record) && isMeant(record, filter))
}

const forgetBefore = async (world: ReplayingMany, { source, before = millis(0) }: Job): Promise<number> =>
  source === null ? 0 : forgetDeliveries(world, source, ({ at }) => at < before)

const replayPage = async (
  world: ReplayingMany,
  meant: readonly EventRecord[],
  progress: Progress,
  stop: AbortSignal | undefined,
): Promise<Ended | undefined> => {
  const atOnce = Math.ceil(progress.job().rate / REPLAYS_A_SECOND_EACH)
  for (let at = 0; at < meant.length; at += atOnce) {
    // The page may have taken the whole share to read: without these, every other share would read it again, for ever.
    if (at > 0 && stop?.aborted) return stopped(progress)
    const ended = await replaySome(world, meant.slice(at, at + atOnce), progress, stop)
    if (ended) return ended
  }
  return undefined
}

const stopped = async (progress: Progress): Promise<Ended> => (await progress.save()) ?? { kind: 'stopped' }

/** So many side by side, and then a pause that keeps the rate. */
const replaySome = async (
  world: ReplayingMany,
  records: readonly EventRecord[],
  progress: Progress,
  stop: AbortSignal | undefined,
): Promise<Ended | undefined> => {
  const startedAt = world.now()
  const { act, reason, id: job, rate, status } = progress.job()
  const { actor } = world
  // Of an event with several destinations, only what has failed.
  const onlyFailed = status === 'failed'
  const answers = await Promise.all(
    records.map(({ fingerprint: id, generation }) =>
      act === 'erase'
        ? erase(world, { id, actor, reason, job })
        : replay(world, { id, generation, onlyFailed, actor, reason, job }),
    ),
  )
  const fault = answers.find(answer => progress.isOutage(answer))
  progress.count(answers, fault ? undefined : records.at(-1))
  const span = (records.length * 1000) / rate
  const ended = fault ? { ...(await progress.save()), ...fault } : await progress.saveNowAndThen(span)
  if (ended) return ended
  // A clock that is set back holds nothing up.
  const pause = Math.min(span, span - (world.now() - startedAt))
  if (pause > 0 && !stop?.aborted) await world.pause(millis(pause))
  return undefined
}

type Answer = ReplayAnswer | EraseAnswer

/** A replay answers `erased`, too, and then has done nothing: what was erased says how many bodies there were. */
const isDone = (answer: Answer): boolean => answer.kind === 'replayed' || 'bodies' in answer

/** What was erased since the job started may be its own work, of which it lost count. */
const isDoneSince = (answer: Answer, { startedAt }: Job): boolean =>
  isDone(answer) && (answer.kind !== 'already-erased' || answer.at >= iso(startedAt))

interface Progress {
  job(): Job
  /** Why what was replayed here last and not sent was not. */
  unsent(): string | undefined
  isOutage(answer: Answer): answer is Extract<Answer, Unavailable>
  /** Everything up to `last` has had its turn. */
  count(answers: readonly Answer[], last: EventRecord | undefined): void
  countDeliveries(forgotten: number): void
  /** What was replayed meanwhile stands after the end of the stretch: that is the next one, until it is short. False: it was. */
  goOn(): boolean
  /** A page is over, whether or not any of it was meant. */
  reached(cursor: ListingCursor | null): void
  /** How it ended, when somebody else has ended it or nobody answers. */
  save(state?: Job['state']): Promise<Ended | undefined>
  /** `span`: how long these may take by the rate, in milliseconds. */
  saveNowAndThen(span: number): Promise<Ended | undefined>
}

const progressOf = (
  { jobs, now }: ReplayingMany,
  from: Job,
  onProgress: NonNullable<ReplayManyOptions['onProgress']>,
): Progress => {
  let job = from
  let savedAt = now()
  let unsaved = 0
  let unreadable = 0
  let unsent: string | undefined

  const save: Progress['save'] = async (state = 'running') => {
    const saved = { ...job, state, updatedAt: now() }
    const answer = await jobs.save(saved)
    savedAt = now()
    unsaved = 0
    if (answer.kind === 'unavailable') return answer
    if (answer.kind === 'saved') {
      job = saved
      return undefined
    }
    // Our counts are the truth about us; the state is whatever the other made it.
    const other = (await jobs.read(job.id))?.state === 'finished' ? 'finished' : 'cancelled'
    job = { ...saved, state: other }
    return { kind: other }
  }

  return {
    job: () => job,
    unsent: () => unsent,
    isOutage: (answer): answer is Extract<Answer, Unavailable> => {
      const isUnreadable = 'unreadable' in answer && answer.unreadable === true
      unreadable = isUnreadable ? unreadable + 1 : 0
      return answer.kind === 'unavailable' && (!isUnreadable || unreadable >= UNREADABLE_IN_A_ROW)
    },
    count: (answers, last) => {
      const refused: Record<string, number> = { ...job.refused }
      for (const why of answers.flatMap(refusalOf)) refused[why] = (refused[why] ?? 0) + 1
      unsent = answers.flatMap(answer => (answer.kind === 'replayed' ? (answer.cause ?? []) : [])).at(-1) ?? unsent
      const replayed = job.replayed + answers.filter(answer => isDoneSince(answer, job)).length
      const cursor = last ? listingPosition(last.claimedAt, last.fingerprint) : job.cursor
      job = { ...job, replayed, refused, cursor }
      onProgress(jobView(job))
    },
    countDeliveries: forgotten => {
      job = { ...job, deliveries: (job.deliveries ?? 0) + forgotten }
    },
    goOn: () => {
      const { from, until } = job
      if (until - from <= SHORT_STRETCH_MS) return false
      job = { ...job, from: until, until: now(), cursor: null }
      return true
    },
    reached: cursor => {
      job = { ...job, cursor: cursor ?? job.cursor }
    },
    save,
    saveNowAndThen: async span => {
      unsaved += span
      // By the rate as well: the clock of a local instance may be frozen.
      return Math.max(unsaved, Math.abs(now() - savedAt)) < SAVE_EVERY_MS ? undefined : save()
    },
  }
}

/** What had no answer comes again when the job is resumed. */
const refusalOf = (answer: Answer): string[] => {
  if (isDone(answer)) return []
  if (answer.kind === 'unavailable') return 'unreadable' in answer && answer.unreadable ? ['unreadable'] : []
  return [answer.kind]
}
