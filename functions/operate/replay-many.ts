import { setTimeout as sleep } from 'node:timers/promises'
import { listingPosition } from '../contract/tables.ts'
import { asSeen } from '../domain/copies-of.ts'
import { causeOf } from '../domain/fault.ts'
import type { Job } from '../domain/job.ts'
import type { ListingCursor, Unavailable } from '../domain/ports.ts'
import type { EventRecord } from '../domain/record.ts'
import type { World } from '../domain/world.ts'
import type { JobView } from './job-view.ts'
import { jobView } from './job-view.ts'
import type { ReplayAnswer } from './replay.ts'
import { type Replaying, replay } from './replay.ts'
import { isMeant, isOver } from './replay-filter.ts'
import { walk } from './walk.ts'

export interface ReplayManyOptions {
  readonly onProgress?: (job: JobView) => void
  readonly stop?: AbortSignal
}

export type JobAnswer =
  | { readonly kind: 'finished' | 'cancelled' | 'stopped'; readonly job: JobView }
  | { readonly kind: 'unknown' }
  /** Resume it when the service answers again. */
  | { readonly kind: 'unavailable'; readonly job: JobView; readonly cause: string }

export interface ReplayingMany extends Replaying, World<'jobs'> {
  readonly actor: string
}

const PAGE = 100
/** How long a cancellation may go unnoticed, and how much a killed process forgets of its counts. */
const SAVE_EVERY_MS = 1_000
/** One body that cannot be read does not hold up the others; so many one after the other are an outage. */
const UNREADABLE_IN_A_ROW = 3
/** One replay takes some ten calls one after the other: a higher rate needs several at once. */
const REPLAYS_A_SECOND_EACH = 10

/**
 * Replays what a job has not had yet, newest first. An event that is replayed gets a new place in the listing, after the end of
 * the job's stretch: so a job that is resumed, or run twice at once, meets each event once. The cursor only saves reading.
 */
export const replayMany = async (
  world: ReplayingMany,
  id: string,
  { onProgress = () => {}, stop }: ReplayManyOptions = {},
): Promise<JobAnswer> => {
  const found = await world.jobs.read(id)
  if (!found) return { kind: 'unknown' }
  if (found.state !== 'running') return { kind: found.state, job: jobView(found) }
  const progress = progressOf(world, found, onProgress)
  const ended = await everyEvent(world, found, progress, stop).catch(
    (error): Ended => ({ kind: 'unavailable', cause: causeOf(error) }),
  )
  return { ...ended, job: jobView(progress.job()) }
}

type Ended = { readonly kind: 'finished' | 'cancelled' | 'stopped' } | Unavailable

const everyEvent = async (
  world: ReplayingMany,
  { source, status, type, from, until, cursor }: Job,
  progress: Progress,
  stop: AbortSignal | undefined,
): Promise<Ended> => {
  const filter = { source: source ?? undefined, status: status ?? undefined, type: type ?? undefined }
  const stretch = { from, until, now: world.now(), after: cursor, page: PAGE }
  for await (const { records, reached } of walk(world.records, stretch)) {
    const seen = await asSeen(world.records, records, world.now())
    const meant = seen.filter(record => isOver(record) && isMeant(record, filter))
    const ended = await replayPage(world, meant, progress, stop)
    if (ended) return ended
    progress.reached(reached)
    if (stop?.aborted && reached !== null) return stopped(progress)
  }
  return (await progress.save('finished')) ?? { kind: 'finished' }
}

const replayPage = async (
  world: ReplayingMany,
  meant: readonly EventRecord[],
  progress: Progress,
  stop: AbortSignal | undefined,
): Promise<Ended | undefined> => {
  const atOnce = Math.ceil(progress.job().rate / REPLAYS_A_SECOND_EACH)
  for (let at = 0; at < meant.length; at += atOnce) {
    if (stop?.aborted) return stopped(progress)
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
  const startedAt = performance.now()
  const { reason, id: job, rate, status } = progress.job()
  // Of an event with several destinations, only what has failed.
  const onlyFailed = status === 'failed'
  const answers = await Promise.all(
    records.map(({ fingerprint: id, generation }) =>
      replay(world, { id, generation, onlyFailed, actor: world.actor, reason, job }),
    ),
  )
  const fault = answers.find(answer => progress.isOutage(answer))
  progress.count(answers, fault ? undefined : records.at(-1))
  const ended = fault ? { ...(await progress.save()), ...fault } : await progress.saveNowAndThen()
  if (ended) return ended
  const pause = (records.length * 1000) / rate - (performance.now() - startedAt)
  if (pause > 0) await sleep(pause, undefined, stop && { signal: stop }).catch(() => {})
  return undefined
}

interface Progress {
  job(): Job
  isOutage(answer: ReplayAnswer): answer is Extract<ReplayAnswer, Unavailable>
  /** Everything up to `last` has had its turn. */
  count(answers: readonly ReplayAnswer[], last: EventRecord | undefined): void
  /** A page is over, whether or not any of it was meant. */
  reached(cursor: ListingCursor | null): void
  /** How it ended, when somebody else has ended it or nobody answers. */
  save(state?: Job['state']): Promise<Ended | undefined>
  saveNowAndThen(): Promise<Ended | undefined>
}

const progressOf = (
  { jobs, now }: ReplayingMany,
  from: Job,
  onProgress: NonNullable<ReplayManyOptions['onProgress']>,
): Progress => {
  let job = from
  let savedAt = performance.now()
  let unreadable = 0

  const save: Progress['save'] = async (state = 'running') => {
    const saved = { ...job, state, updatedAt: now() }
    const answer = await jobs.save(saved)
    savedAt = performance.now()
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
    isOutage: (answer): answer is Extract<ReplayAnswer, Unavailable> => {
      const isUnreadable = answer.kind === 'unavailable' && answer.unreadable === true
      unreadable = isUnreadable ? unreadable + 1 : 0
      return answer.kind === 'unavailable' && (!isUnreadable || unreadable >= UNREADABLE_IN_A_ROW)
    },
    count: (answers, last) => {
      const refused: Record<string, number> = { ...job.refused }
      for (const why of answers.flatMap(refusalOf)) refused[why] = (refused[why] ?? 0) + 1
      const replayed = job.replayed + answers.filter(({ kind }) => kind === 'replayed').length
      const cursor = last ? listingPosition(last.claimedAt, last.fingerprint) : job.cursor
      job = { ...job, replayed, refused, cursor }
      onProgress(jobView(job))
    },
    reached: cursor => {
      job = { ...job, cursor: cursor ?? job.cursor }
    },
    save,
    saveNowAndThen: async () => (performance.now() - savedAt < SAVE_EVERY_MS ? undefined : save()),
  }
}

/** What had no answer comes again when the job is resumed. */
const refusalOf = (answer: ReplayAnswer): string[] => {
  if (answer.kind === 'replayed') return []
  if (answer.kind === 'unavailable') return answer.unreadable ? ['unreadable'] : []
  return [answer.kind]
}
