import type { PauseAnswer } from '../../../functions/operate/pause.ts'
import { instead } from '../../connect/find-source.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { tellDone } from './tell-done.ts'

/** What became of a pause or of its end. What recovery carries out within a minute is done, too. */
export const tellPause = (answer: PauseAnswer, destination: string, json: boolean, terminal: Terminal): number => {
  const done = answer.kind === 'paused' || answer.kind === 'resumed' || answer.kind === 'noted'
  const message = pauseSentence(answer, destination)
  return tellDone(done, { ...answer, message }, message, json, terminal)
}

const pauseSentence = (answer: PauseAnswer, destination: string): string => {
  switch (answer.kind) {
    case 'paused':
      return `${destination} is paused until ${answer.until}. Its events wait, and no try is used up. npx hooklatch resume ${destination} ends it.`
    case 'resumed':
      return `${destination} gets its events again.`
    case 'noted':
      return `It is on record, but AWS did not carry it out (${answer.cause}): recovery does within a minute.`
    case 'too-soon':
      return `${destination} is not paused: it was paused for so long that its events have to be handled first, or they get too old. It can be paused again from ${answer.again} on.`
    case 'no-destination':
      return answer.destinations.length === 0
        ? 'Nothing can be paused in this stack: it was deployed by an older version. Deploy it again.'
        : `There is no destination "${destination}": ${instead(answer.destinations, destination)}`
    case 'unavailable':
      return `Nobody knows whether it was done (${answer.cause}): npx hooklatch doctor shows what is paused.`
  }
}
