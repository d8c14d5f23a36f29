import { OVER_STATUSES } from '../../functions/contract/status.ts'
import { millis } from '../../functions/domain/brands.ts'
import { causeOf } from '../../functions/domain/fault.ts'
import type { ReplayOrder } from '../../functions/operate/acts.ts'
import type { ReplayAnswer } from '../../functions/operate/replay.ts'
import type { ReplayFilter } from '../../functions/operate/replay-filter.ts'
import type { Operator } from '../operator/open-operator.ts'
import { isProblem, type Problem, problem } from './problem.ts'
import type { Answer, Answering } from './question.ts'
import { type Given, posted, readInstant, withReason } from './request.ts'

/** One event: `{ "reason": ..., "generation": the one that was on the screen }`. */
export const answerReplay = withReason(async ({ world: { operator }, named: { id = '' } }, reason, given) => {
  const generation = readGeneration(given.generation)
  return isProblem(generation) ? generation : replayFound(operator, id, { reason, generation, onlyFailed: false })
})

/** One dead letter with `id`; all that a filter matches through `/api/replays`. */
export const answerRedrive = withReason(async ({ world: { operator } }, reason, given) => {
  const id = textOf(given.id)
  if (id === undefined) return problem('input', 'Name the event in "id".')
  const generation = readGeneration(given.generation)
  return isProblem(generation) ? generation : replayFound(operator, id, { reason, generation, onlyFailed: true })
})

const LOOK_BACK_MS = 30 * 86_400_000

const replayFound = async (operator: Operator, id: string, order: Omit<ReplayOrder, 'id'>) => {
  const event = await operator.find({ id, from: millis(operator.now() - LOOK_BACK_MS) })
  return told(event ? await operator.replay({ ...order, id: event.id }) : { kind: 'unknown' })
}

/** What a replay of many would do; changes nothing. */
export const answerPlan = posted(async ({ world: { operator } }, given) => {
  const filter = readFilter(given, operator.now())
  return isProblem(filter) ? filter : { json: await operator.planReplay(filter) }
})

/** Begins a replay of many and answers with its job, which goes on while the console runs and can be resumed after it. */
export const answerReplayMany = withReason(async ({ world: { operator, brokenOff } }, reason, given) => {
  const filter = readFilter(given, operator.now())
  if (isProblem(filter)) return filter
  const expected = numberOf(given.expected)
  if (expected === undefined) return problem('input', 'Say in "expected" how many the plan had counted.')
  const job = await operator.startJob({ filter, reason, expected })
  // Its progress is in the store, where the page reads it; that nobody is at it any more is not.
  operator.replayMany(job.id).then(
    ended => ended.kind === 'unavailable' && brokenOff.set(job.id, ended.cause),
    (error: unknown) => brokenOff.set(job.id, causeOf(error)),
  )
  return { json: job, status: 202 }
})

export const answerJob: Answering = async ({ world: { operator, brokenOff, place }, named: { id = '' } }) => {
  const job = await operator.job(id)
  if (job === undefined) return problem('not-found', `There is no replay ${id}.`)
  const cause = job.state === 'running' ? brokenOff.get(id) : undefined
  const resume = `npx hooklatch replay --resume ${id}${place.name === 'local' ? '' : ` --stack ${place.name}`}`
  return { json: { ...job, stopped: cause === undefined ? null : { cause, resume } } }
}

const told = (answer: ReplayAnswer): Answer | Problem => {
  switch (answer.kind) {
    case 'replayed':
      return { json: answer, status: 202 }
    case 'unknown':
      return problem('not-found', 'There is no such event: it never came, or it has expired.')
    case 'in-flight':
      return problem('refused', `It is ${answer.status} right now: wait until it is over.`)
    case 'no-body':
      return problem('refused', 'Its body is not kept, so its sender has to send it again.')
    case 'erased':
      return problem('refused', `Its body was erased at ${answer.at}, so it cannot be replayed.`)
    case 'no-destination':
      return problem(
        'refused',
        `It does not go to ${answer.destination} alone, or that destination was removed. If it failed, redrive the event.`,
      )
    case 'no-route':
      return problem('refused', `No route of its source ${answer.source} wants it, so it would be ignored.`)
    case 'no-source':
      return problem('refused', `Its source ${answer.source} is not in sources.ts.`)
    case 'already-replayed':
      return problem('refused', `It was replayed a moment ago${answer.by === null ? '' : ` by ${answer.by}`}.`)
    case 'not-failed':
      return answer.destinations
        ? problem('refused', `For ${answer.destinations.join(', ')} it is ${answer.status}, not failed.`)
        : problem('refused', `It is ${answer.status}, and only a failed event can be redriven.`)
    case 'unavailable':
      return problem(
        'unavailable',
        `It is not known whether it was replayed: ${answer.cause}. Look at it again before you repeat.`,
      )
  }
}

const readFilter = (given: Given, now: number): ReplayFilter | Problem => {
  const from = readInstant(textOf(given.from) ?? null, 'from', now - LOOK_BACK_MS)
  if (isProblem(from)) return from
  const until = readInstant(textOf(given.until) ?? null, 'until', now)
  if (isProblem(until)) return until
  const wanted = textOf(given.status)
  const status = OVER_STATUSES.find(each => each === wanted)
  if (wanted !== undefined && status === undefined) {
    return problem('input', `status ${wanted} cannot be replayed: expected ${OVER_STATUSES.join(' or ')}.`)
  }
  return { from, until: millis(until), status, source: textOf(given.source), type: textOf(given.type) }
}

/** Left out on purpose, or a number: one that was lost on the way must not turn into "whichever". */
const readGeneration = (value: unknown): number | undefined | Problem =>
  value === undefined || Number.isSafeInteger(value)
    ? (value as number | undefined)
    : problem('input', 'Give "generation" as the whole number that the event was shown with.')

const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
