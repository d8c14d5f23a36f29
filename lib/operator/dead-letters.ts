import { GetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'
import type { EventStore } from '../../functions/domain/ports.ts'
import type { EventPage } from './list.ts'
import { list, type Query } from './list.ts'

export interface DeadLetterPage extends EventPage {
  /** Messages in the dead-letter queues that are not buried yet: not events with the status failed, but soon. Null: not known. */
  readonly waiting: number | null
}

export interface DeadLetterQueues {
  /** Messages that nobody has buried yet, hidden ones included. */
  waiting(): Promise<number>
}

/** Failed events; what waits in the dead-letter queues is about to be one, unless burial does not run. */
export const deadLetters = async (
  {
    events,
    deadLetterQueues,
  }: { readonly events: Pick<EventStore, 'list'>; readonly deadLetterQueues: DeadLetterQueues },
  query: Omit<Query, 'status'>,
): Promise<DeadLetterPage> => {
  const [page, waiting] = await Promise.all([
    list(events, { ...query, status: 'failed' }),
    deadLetterQueues.waiting().catch(() => null),
  ])
  return { ...page, waiting }
}

export const sqsDeadLetters = (client: SQSClient, urls: readonly string[]): DeadLetterQueues => ({
  async waiting() {
    const counts = await Promise.all(urls.map(url => depthOf(client, url)))
    return counts.reduce((sum, count) => sum + count, 0)
  },
})

const DEPTH = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const

const depthOf = async (client: SQSClient, QueueUrl: string): Promise<number> => {
  const { Attributes } = await client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...DEPTH] }))
  return DEPTH.reduce((sum, name) => sum + Number(Attributes?.[name] ?? 0), 0)
}
