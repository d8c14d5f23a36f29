import type { AcceptAnswer, ReverifyAnswer } from '../../functions/operate/quarantine.ts'
import { everyKept } from '../operator/every-kept.ts'
import { type Problem, problem } from './problem.ts'
import type { Answer, Answering } from './question.ts'
import { withReason } from './request.ts'

const LIMIT = 100

/** Of one source, or of all of them, newest first. */
export const answerQuarantine: Answering = async ({ world: { operator }, query }) => ({
  json: await everyKept(operator, 'quarantine', query.get('source') || undefined, LIMIT),
})

export const answerKept: Answering = async ({ world: { operator }, named: { source = '', key = '' } }) => {
  const kept = await operator.quarantine.show(source, key)
  return kept === undefined ? NOT_KEPT : { json: kept }
}

export const answerReverify: Answering = async ({ world: { operator }, named: { source = '', key = '' } }) =>
  told(await operator.quarantine.reverify(source, key))

export const answerAccept = withReason(async ({ world: { operator }, named: { source = '', key = '' } }, reason) =>
  told(await operator.quarantine.accept({ source, key, reason })),
)

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
