import { OVER_STATUSES, type Over } from '../../../functions/contract/status.ts'
import type { Millis } from '../../../functions/domain/brands.ts'
import type { JobView } from '../../../functions/operate/job-view.ts'
import type { ReplayFilter } from '../../../functions/operate/replay-filter.ts'
import type { JobAnswer } from '../../../functions/operate/replay-many.ts'
import { DEFAULT_RATE, MOST_RATE } from '../../../functions/operate/start-job.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import type { Operator } from '../../operator/open-operator.ts'
import type { ReplayPlan } from '../../operator/plan-replay.ts'
import { confirm } from '../../terminal/confirm.ts'
import { endSignal } from '../../terminal/end-signal.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { allOf, leaveOut, readNumber } from '../flags.ts'
import { progressBar } from '../print/progress-bar.ts'
import { tellDone } from '../print/tell-done.ts'
import { readInstant, refuseBackwards } from '../read-instant.ts'
import type { How } from './how.ts'

/** Above this a wrong filter does too much harm: the number has to be known before. */
const WITHOUT_COUNT = 1_000

/** How fast, and how many there are known to be. */
export interface Amount {
  readonly rate: number
  readonly count: number | undefined
}

export const readAmount = (flags: { readonly rate?: string; readonly count?: string }): Amount | Refusal => {
  const read = allOf(
    readNumber(flags.rate, 'rate', { min: 1, max: MOST_RATE, otherwise: DEFAULT_RATE }),
    readNumber(flags.count, 'count', { min: 0, max: 999_999_999, otherwise: -1 }),
  )
  if (isRefusal(read)) return read
  const [rate, count] = read
  return { rate, count: count === -1 ? undefined : count }
}

export interface Bulk extends Amount {
  readonly filter: (now: Millis) => ReplayFilter
}

interface BulkFlags {
  readonly source?: string
  readonly status?: string
  readonly type?: string
  readonly since?: string
  readonly until?: string
  readonly rate?: string
  readonly count?: string
}

export const readBulk = ({ source, status, type, ...flags }: BulkFlags): Bulk | Refusal => {
  const asked = allOf(
    readStatus(status),
    readInstant(flags.since ?? '24h', 'since'),
    readInstant(flags.until ?? '0s', 'until'),
    readAmount(flags),
  )
  if (isRefusal(asked)) return asked
  const [only, since, until, amount] = asked
  return { ...amount, filter: now => ({ source, status: only, type, from: since(now), until: until(now) }) }
}

/** What only many events have: an act on one would not look at it. */
const OF_MANY = ['status', 'type', 'since', 'until', 'count', 'rate', 'dry-run']

export const leaveOutMany = (flags: object): undefined | Refusal =>
  leaveOut({ ...flags }, OF_MANY, 'An id is one event, and the rest is for many')

export const leaveOutForJob = (flags: { readonly resume?: string }, id?: string): undefined | Refusal => {
  const why = 'A job goes on as it was recorded'
  if (id !== undefined) return refuse(`${why}: leave out the id.`, 2)
  const names = [...OF_MANY, 'source', 'to', 'event', 'before', ...(flags.resume === undefined ? [] : ['cancel'])]
  return leaveOut({ ...flags }, names, why)
}

const readStatus = (text: string | undefined): Over | undefined | Refusal => {
  const over = OVER_STATUSES.find(status => status === text)
  if (text === undefined || over) return over
  const expected = OVER_STATUSES.join(' or ')
  return refuse(`--status ${text} cannot be replayed: expected ${expected}. Events in flight are left alone.`, 2)
}

/** Counts first, asks, writes the job down, and replays. */
export const replayByFilter = async (
  operator: Operator,
  { filter: filterAt, rate, count }: Bulk,
  { reason, yes, json, dryRun }: How,
  terminal: Terminal,
): Promise<number | Refusal> => {
  const filter = filterAt(operator.now())
  const backwards = refuseBackwards(filter.from, filter.until)
  if (backwards) return backwards
  const plan = await operator.planReplay(filter)
  if (dryRun || plan.count === 0) {
    if (json) terminal.out(jsonLines({ result: 'dry-run', ...plan }))
    else for (const line of planLines(plan, rate)) terminal.out(line)
    return 0
  }
  const refused =
    isCounted(plan, count, yes, 'replayed') ??
    (yes ? undefined : await agree(plan, planLines(plan, rate), 'replay', terminal))
  if (refused) return refused
  const { id } = await operator.startJob({ filter, reason, rate, expected: plan.count })
  return resume(operator, id, json, terminal)
}

const planLines = (
  { count, done, failed, ignored, inFlight, withoutBody, oldest, newest }: ReplayPlan,
  rate: number,
): string[] => [
  `${count} ${count === 1 ? 'event' : 'events'} would be replayed: ${done} done, ${failed} failed${ignored > 0 ? `, ${ignored} ignored` : ''}.`,
  ...(count > 0
    ? [`They were claimed from ${oldest} to ${newest}; at ${rate} a second it takes ${span(count / rate)}.`]
    : []),
  ...(withoutBody > 0 ? [`${withoutBody} of them have no stored body, and would be refused.`] : []),
  ...(inFlight > 0 ? [`${inFlight} more match but are in flight: they would be left alone.`] : []),
]

export const span = (seconds: number): string =>
  seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`

export const isCounted = (
  plan: { readonly count: number },
  count: number | undefined,
  yes: boolean,
  done: 'replayed' | 'erased',
): Refusal | undefined => {
  if (count !== undefined && plan.count > count) {
    return refuse(`The filter matches ${plan.count} events, more than --count ${count}: nothing was ${done}.`, 2)
  }
  if (!yes || count !== undefined || plan.count <= WITHOUT_COUNT) return undefined
  return refuse(
    `The filter matches ${plan.count} events. Nothing was ${done}. Above ${WITHOUT_COUNT}, do a dry run first (--dry-run), then repeat with its number: --count ${plan.count}.`,
    2,
  )
}

/** A large number has to be typed, so it has been read. */
export const agree = async (
  { count }: { readonly count: number },
  lines: readonly string[],
  act: 'replay' | 'erase',
  terminal: Terminal,
): Promise<undefined | Refusal> => {
  for (const line of lines) terminal.err(line)
  return count > WITHOUT_COUNT
    ? confirm(`Type ${count} to ${act} them:`, String(count))
    : confirm(`${act === 'replay' ? 'Replay' : 'Erase'} them? [y/N]`, 'y')
}

export const cancel = async (
  operator: Operator,
  id: string,
  json: boolean,
  terminal: Terminal,
): Promise<number | Refusal> => {
  const job = await operator.cancelJob(id)
  if (!job) return noJob(id)
  terminal.out(json ? jsonLines({ result: job.state, job }) : `The job ${id} is ${job.state}: ${soFar(job)}.`)
  return job.state === 'cancelled' ? 0 : 1
}

/** Replays or erases what is left of a job. */
export const resume = async (
  operator: Operator,
  id: string,
  json: boolean,
  terminal: Terminal,
  act: JobView['act'] = 'replay',
): Promise<number | Refusal> => {
  const ctrlC = endSignal()
  const bar = progressBar(json)
  terminal.err(`Job ${id}. Ctrl-C stops it; --resume ${id} continues it.`)
  try {
    const options = { stop: ctrlC.signal, onProgress: bar.show }
    const answer = await (act === 'replay' ? operator.replayMany(id, options) : operator.eraseMany(id, options))
    bar.end()
    return tell(answer, id, json, terminal)
  } finally {
    ctrlC.ignore()
  }
}

const tell = (answer: JobAnswer, id: string, json: boolean, terminal: Terminal): number | Refusal => {
  if (answer.kind === 'unknown') return noJob(id)
  const { kind, job } = answer
  const isClean = kind === 'finished' && Object.keys(job.refused).length === 0
  return tellDone(isClean, { result: kind, ...answer, kind: undefined }, sentenceOf(answer), json, terminal)
}

const sentenceOf = (answer: Exclude<JobAnswer, { kind: 'unknown' }>): string => {
  const { kind, job } = answer
  switch (kind) {
    case 'finished':
      return `Finished: ${soFar(job)}.`
    case 'cancelled':
      return `Cancelled: ${soFar(job)}.`
    case 'stopped':
      return `Stopped: ${soFar(job)}. Continue with: npx hooklatch ${job.act} --resume ${job.id}`
    case 'unavailable':
      return `A service did not answer (${answer.cause}): ${soFar(job)}. Continue when it does: npx hooklatch ${job.act} --resume ${job.id}`
  }
}

const soFar = ({ act, replayed, expected, deliveries = 0, refused }: JobView): string =>
  [
    `${replayed} of ${expected} ${act === 'erase' ? 'erased' : 'replayed'}`,
    ...(deliveries > 0 ? [`${deliveries} quarantined and captured deliveries`] : []),
    ...Object.entries(refused).map(([kind, count]) => `${count} ${kind}`),
  ].join(', ')

const noJob = (id: string): Refusal =>
  refuse(`There is no job ${id}: expected the id that a replay, a redrive or an erasure printed when it began.`)
