import type { QueueCalls } from '../../functions/adapters/wire/queue-calls.ts'
import type { EventReads } from '../../functions/domain/ports.ts'
import { explainFault } from './explain-fault.ts'
import { type EventPage, list, type Query } from './list.ts'

export interface DeadLetterPage extends EventPage {
  /** Messages in the dead-letter queues that are not buried yet: not events with the status failed, but soon. Null: not known. */
  readonly waiting: number | null
  /** Why it is not known. */
  readonly why?: string
}

export interface DeadLetterQueues {
  /** Messages that nobody has buried yet, hidden ones included. */
  waiting(): Promise<number>
}

/** Failed events; what waits in the dead-letter queues is about to be one, unless burial does not run. */
export const deadLetters = async (
  {
    records,
    deadLetterQueues,
  }: { readonly records: Pick<EventReads, 'list' | 'read'>; readonly deadLetterQueues: DeadLetterQueues },
  query: Omit<Query, 'status'>,
): Promise<DeadLetterPage> => {
  const [page, waits] = await Promise.all([
    list(records, { ...query, status: 'failed' }),
    deadLetterQueues.waiting().then(waiting => ({ waiting }), notKnown),
  ])
  return { ...page, ...waits }
}

const notKnown = (error: Error): Pick<DeadLetterPage, 'waiting' | 'why'> => ({
  waiting: null,
  why: `What waits in the dead-letter queues cannot be read. ${explainFault(error) ?? error.message}`,
})

/** Hidden ones included. A queue that a deployment has not is left out. */
export const messagesIn = async (
  queue: Pick<QueueCalls, 'queueState'>,
  urls: readonly (string | undefined)[],
): Promise<number> => {
  const states = await Promise.all(urls.flatMap(url => (url === undefined ? [] : [queue.queueState(url)])))
  return states.reduce((sum, { messages }) => sum + messages, 0)
}
