import type { ReplayAnswer } from '../../operator/replay.ts'

/** What a replay came to, for people. */
export const replaySentence = (answer: ReplayAnswer, id: string): string => {
  switch (answer.kind) {
    case 'replayed':
      return answer.queued
        ? `Replayed as generation ${answer.generation}: it is on the queue. \`npx hooklatch show ${short(answer.id)}\` shows what becomes of it.`
        : `Recorded as generation ${answer.generation}, but the queue did not answer: recovery sends it within minutes.`
    case 'unknown':
      return `No event with the id ${id} is remembered: it never came, or its replay window has passed. \`npx hooklatch events\` lists those that are.`
    case 'in-flight':
      return `The event ${short(answer.id)} is ${answer.status}, so that it is on its way already: nothing was replayed.`
    case 'no-body':
      return `The body of ${short(answer.id)} is not kept (any more), so that it cannot be replayed: ask its sender to send it again. How long bodies are kept is \`retain\` in sources.ts.`
    case 'no-source':
      return `The event ${short(answer.id)} is of the source "${answer.source}", which is not in sources.ts: nothing was replayed.`
    case 'already-replayed':
      return `The event ${short(answer.id)} was ${answer.by === null ? 'sent again by its sender' : `replayed by ${answer.by} at ${answer.at}`} (generation ${answer.generation}): it was not replayed a second time.`
    case 'not-failed':
      return `The event ${short(answer.id)} is ${answer.status}, not failed: nothing was redriven. \`npx hooklatch replay\` runs an event again that is done.`
    case 'unavailable':
      return `It is not known to be replayed, since a service did not answer: ${answer.cause}. Look with \`npx hooklatch show ${id}\` before you repeat it.`
  }
}

const short = (id: string): string => id.slice(0, 12)

/** What was asked for is so, whoever made it so. */
export const isReplayed = ({ kind }: ReplayAnswer): boolean => kind === 'replayed' || kind === 'already-replayed'
