import { millis } from '../../functions/domain/brands.ts'
import type { AcceptAnswer, ReverifyAnswer } from '../../functions/operate/quarantine.ts'
import type { KeptView } from '../operator/kept-view.ts'
import { isProblem, type Problem, problem } from './problem.ts'
import type { Answer, Answering } from './question.ts'
import { readJson, readReason } from './request.ts'

const MONTH_MS = 30 * 86_400_000
const LIMIT = 100

/** Of one source, or of all of them, newest first. */
export const answerQuarantine: Answering = async ({ world: { operator }, query }) => {
  const asked = query.get('source') || undefined
  const from = millis(operator.now() - MONTH_MS)
  const names = asked === undefined ? operator.sources : [asked]
  const kept = await Promise.all(names.map(source => operator.quarantine.list({ source, from, limit: LIMIT })))
  return { json: { deliveries: kept.flat().sort(newestFirst).slice(0, LIMIT) } }
}

const newestFirst = (left: KeptView, right: KeptView): number => (left.time < right.time ? 1 : -1)

export const answerKept: Answering = async ({ world: { operator }, named: { source = '', key = '' } }) => {
  const kept = await operator.quarantine.show(source, key)
  return kept === undefined ? NOT_KEPT : { json: kept }
}

export const answerReverify: Answering = async ({ world: { operator }, named: { source = '', key = '' } }) =>
  told(await operator.quarantine.reverify(source, key))

export const answerAccept: Answering = async ({ world: { operator }, request, named: { source = '', key = '' } }) => {
  const given = await readJson(request)
  if (isProblem(given)) return given
  const reason = readReason(given.reason)
  return isProblem(reason) ? reason : told(await operator.quarantine.accept({ source, key, reason }))
}

const NOT_KEPT = problem('not-found', 'This delivery is no longer kept.')

const told = (answer: ReverifyAnswer | AcceptAnswer): Answer | Problem => {
  switch (answer.kind) {
    case 'genuine':
    case 'distrusted':
      return { json: answer }
    case 'taken':
      return { json: answer, status: 202 }
    case 'unknown':
      return NOT_KEPT
    case 'no-source':
      return problem('refused', `The source ${answer.source} is not in sources.ts.`)
    case 'unavailable':
      return problem('unavailable', `Nothing was done: ${answer.cause}.`)
  }
}
