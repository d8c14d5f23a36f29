import { causeOf } from '../../functions/domain/fault.ts'
import { captureRefusal } from '../operator/capture-refusal.ts'
import { everyKept } from '../operator/every-kept.ts'
import type { CaptureAnswer } from '../operator/set-capture.ts'
import { isProblem, type Problem, problem } from './problem.ts'
import type { Answer, Answering } from './question.ts'
import { posted, readWhole } from './request.ts'

const LIMIT = 200
const WEEK_MINUTES = 7 * 24 * 60

/** Which sources are captured now, and what was captured, newest first. Whoever may not read the switches still sees the rest. */
export const answerCaptures: Answering = async ({ world: { operator }, query }) => {
  const [states, kept] = await Promise.all([
    operator.capture.status().catch((error: unknown) => causeOf(error)),
    everyKept(operator, 'capture', query.get('source') || undefined, LIMIT),
  ])
  const hidden = typeof states === 'string' ? states : null
  return { json: { sources: typeof states === 'string' ? [] : states, hidden, ...kept } }
}

export const answerStartCapture = posted(async ({ world: { operator } }, given) => {
  const minutes = readWhole(given.minutes, 'minutes', { min: 1, max: WEEK_MINUTES, otherwise: 10 })
  if (isProblem(minutes)) return minutes
  const status = readWhole(given.answer, 'answer', { min: 400, max: 599, otherwise: undefined })
  if (isProblem(status)) return status
  const asked = { source: String(given.source ?? ''), forMs: minutes * 60_000, answer: status }
  return told(await operator.capture.start(asked))
})

export const answerStopCapture = posted(async ({ world: { operator }, named: { source = '' } }) =>
  told(await operator.capture.stop(source)),
)

const told = (answer: CaptureAnswer): Answer | Problem => {
  if (answer.kind === 'set') return { json: { ...answer.state, takesEffect: answer.takesEffect } }
  const type = answer.kind === 'no-source' ? 'not-found' : answer.kind === 'unavailable' ? 'unavailable' : 'refused'
  return problem(type, captureRefusal(answer))
}

export const answerCaptured: Answering = async ({ world: { operator }, named: { source = '', key = '' } }) => {
  const kept = await operator.capture.show(source, key)
  return kept === undefined ? NOT_KEPT : { json: kept }
}

export const answerComparison: Answering = async ({ world: { operator }, query, named: { source = '' } }) => {
  const comparison = await operator.compare(source, query.get('first') ?? '', query.get('second') ?? '')
  return comparison === undefined ? NOT_KEPT : { json: comparison }
}

const NOT_KEPT = problem('not-found', 'This delivery is no longer kept.')
