import { unavailable } from '../domain/fault.ts'
import type { MessageVisibility } from '../domain/ports.ts'
import type { QueueCalls } from './wire/queue-calls.ts'

interface Names {
  readonly queueUrl: string
  readonly orderedQueueUrl?: string | undefined
}

/** What workers have received of the queues. */
export const sqsVisibility = (
  { queue }: { readonly queue: Pick<QueueCalls, 'changeVisibility'> },
  names: Names,
): MessageVisibility => ({
  async hide({ receipt, group }, time) {
    try {
      const url = group === null ? names.queueUrl : (names.orderedQueueUrl ?? names.queueUrl)
      const answer = await queue.changeVisibility(url, receipt, time)
      return { kind: answer === 'changed' ? 'hidden' : 'gone' }
    } catch (error) {
      return unavailable(error)
    }
  },
})
