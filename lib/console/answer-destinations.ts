import { iso } from '../../functions/domain/brands.ts'
import { begunAt, isPaused, LONGEST_PAUSE_MS } from '../../functions/domain/pauses.ts'
import type { PauseAnswer } from '../../functions/operate/pause.ts'
import { isProblem, type Problem, problem } from './problem.ts'
import type { Answer, Answering } from './question.ts'
import { readWhole, withReason } from './request.ts'
import type { DestinationView } from './world.ts'

const MINUTE_MS = 60_000

/** Where events go, and what of it is paused. */
export const answerDestinations: Answering = async ({ world: { operator, place, pauses } }) => {
  const destinations = await Promise.all(
    place.destinations.map(async ({ name, kind }): Promise<DestinationView> => {
      const pause = await pauses.read(name)
      if (!isPaused(pause, operator.now())) return { name, kind, pause: null }
      const { reason, actor, until } = pause
      return { name, kind, pause: { reason, actor, since: iso(begunAt(pause)), until: iso(until) } }
    }),
  )
  return { json: { destinations } }
}

export const answerPause = withReason(async ({ world: { operator }, named: { name = '' } }, reason, given) => {
  const most = LONGEST_PAUSE_MS / MINUTE_MS
  const minutes = readWhole(given.minutes, 'minutes', { min: 1, max: most, otherwise: most })
  if (isProblem(minutes)) return minutes
  return told(await operator.pauseDestination({ destination: name, reason, span: minutes * MINUTE_MS }))
})

export const answerResume = withReason(async ({ world: { operator }, named: { name = '' } }, reason) =>
  told(await operator.resumeDestination({ destination: name, reason })),
)

const told = (answer: PauseAnswer): Answer | Problem => {
  switch (answer.kind) {
    case 'paused':
    case 'resumed':
    case 'noted':
      return { json: answer }
    case 'too-soon':
      return problem(
        'refused',
        `It was paused for so long that its events have to be handled first, or they get too old. It can be paused again from ${answer.again} on.`,
      )
    case 'no-destination':
      return problem('not-found', `There is no such destination: there are ${answer.destinations.join(', ')}.`)
    case 'unavailable':
      return problem('unavailable', `Nobody knows whether it was done (${answer.cause}): look again in a minute.`)
  }
}
