import type { ReplayAnswer } from '../../../functions/operate/replay.ts'

/** The answer to a replay, for people. */
export const replaySentence = (answer: ReplayAnswer, id: string): string => {
  switch (answer.kind) {
    case 'replayed':
      return answer.queued
        ? `Replayed ${whatOf(answer)}: it is on the queue. \`npx hooklatch show ${short(answer.id)}\` shows what happens to it.`
        : `Recorded ${whatOf(answer)}, but the queue did not answer: recovery sends it within minutes.`
    case 'unknown':
      return `There is no event with the id ${id}: it never came, or its replay window has passed. \`npx hooklatch events\` lists the events.`
    case 'in-flight':
      return `The event ${short(answer.id)} is ${answer.status}, so it is already on its way: nothing was replayed.`
    case 'no-body':
      return `We have no body of ${short(answer.id)}, or no longer, so it cannot be replayed: ask its sender to send it again. \`retain\` in sources.ts says how long bodies are kept.`
    case 'erased':
      return `The body of ${short(answer.id)} was erased at ${answer.at}, so it cannot be replayed. \`npx hooklatch show ${short(answer.id)}\` says by whom and why.`
    case 'no-destination':
      return `The event ${short(answer.id)} does not go to "${answer.destination}" alone, or that destination was removed: nothing was replayed. \`npx hooklatch show ${short(answer.id)}\` lists where it went. Without --to, \`npx hooklatch redrive ${short(answer.id)}\` brings a failed event to all that is missing, and \`replay\` sends it where the routes of today lead.`
    case 'no-route':
      return `No route of the source "${answer.source}" wants the event ${short(answer.id)}, so it would be ignored: nothing was replayed. \`npx hooklatch routes ${answer.source} --event ${short(answer.id)}\` says why.`
    case 'no-source':
      return `The event ${short(answer.id)} belongs to the source "${answer.source}", which is not in sources.ts: nothing was replayed.`
    case 'already-replayed':
      return `The event ${short(answer.id)} was ${answer.by === null ? 'sent again by its sender' : `replayed by ${answer.by} at ${answer.at}`} (generation ${answer.generation}): it was not replayed a second time.`
    case 'not-failed':
      return answer.destinations
        ? `For ${answer.destinations.join(', ')}, the event ${short(answer.id)} is ${answer.status}, not failed: nothing was replayed. \`npx hooklatch replay ${short(answer.id)} --to ${answer.destinations[0]}\` runs it there again if it is done.`
        : `The event ${short(answer.id)} is ${answer.status}, not failed: nothing was redriven. \`npx hooklatch replay\` runs an event again that is done.`
    case 'unavailable':
      return `A service did not answer (${answer.cause}), so it is not known whether the event was replayed. Look with \`npx hooklatch show ${id}\` before you repeat it.`
  }
}

/** A copy has generations of its own. */
const whatOf = ({ generation, destinations }: ReplayAnswer & { readonly kind: 'replayed' }): string =>
  destinations ? `for ${destinations.join(', ')}` : `as generation ${generation}`

const short = (id: string): string => id.slice(0, 12)

/** It is as it was asked for, whoever did it. */
export const isReplayed = ({ kind }: ReplayAnswer): boolean => kind === 'replayed' || kind === 'already-replayed'
