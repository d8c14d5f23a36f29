import type { EraseAnswer } from '../../../functions/operate/erase.ts'

/** The answer to an erasure, for people. */
export const eraseSentence = (answer: EraseAnswer, id: string): string => {
  switch (answer.kind) {
    case 'erased':
      return `Erased ${answer.source} ${answer.eventId}: ${whatOf(answer)}. It stays remembered, so a repeat of it is a duplicate.`
    case 'already-erased':
      return `${answer.source} ${answer.eventId} was erased at ${answer.at} already; looked again: ${whatOf(answer)}.`
    case 'unknown':
      return `There is no event with the id ${id}: it never came, or it is no longer remembered. Nothing was erased.`
    case 'in-flight':
      return `The event ${answer.id.slice(0, 12)} is ${answer.status}, so a message holds its body: nothing was erased. Erase it when it is done, failed or ignored.`
    case 'unavailable':
      return `A service did not answer (${answer.cause}), so it is not known how much was erased. Repeat it: to erase twice does no harm.`
  }
}

export const isErased = ({ kind }: EraseAnswer): boolean => kind === 'erased' || kind === 'already-erased'

/** What no command can reach. */
export const REMAINS = [
  'Backups: the point-in-time recovery of the events table holds its errors for up to 35 days. Bodies have no backup.',
  'Logs: lines name the event and quote the errors of your handler until your log retention is over. They hold no body.',
  'Messages: one that SQS delivered twice may wait for up to 14 days, and then finds that its event is over.',
  'Elsewhere: what your handlers and destinations stored is yours to erase. The event id, its type and the hash of its body stay.',
] as const

const whatOf = ({ bodies, deliveries, copies }: Extract<EraseAnswer, { bodies: number }>): string =>
  [
    `${bodies} kept ${bodies === 1 ? 'body' : 'bodies'} with headers overwritten`,
    ...(copies > 0 ? [`${copies} copies`] : []),
    ...(deliveries > 0 ? [`${deliveries} captured deliveries`] : []),
  ].join(', ')
