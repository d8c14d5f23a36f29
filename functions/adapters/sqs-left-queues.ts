import type { LeftQueues } from '../domain/recovery.ts'
import type { Names } from './stores.ts'
import type { QueueCalls } from './wire/queue-calls.ts'

/** A second: a shorter look asks only some of the servers that hold the messages. */
const LOOK_SECONDS = 1

/** Queues of destinations that were removed, beside those that exist. */
export const sqsLeftQueues = (
  { queue }: { readonly queue: Pick<QueueCalls, 'receiveMessages' | 'sendMessage' | 'deleteMessages'> },
  { destinations = {}, deadLettersUrl }: Pick<Names, 'deadLettersUrl' | 'destinations'>,
): LeftQueues => ({
  current: destinations,

  async bury(url) {
    const messages = await queue.receiveMessages(url, { waitSeconds: LOOK_SECONDS })
    const receipts: string[] = []
    for (const { body, receipt } of messages) {
      // One by one: ten of the largest do not fit into a batch.
      const sent = await queue.sendMessage({ QueueUrl: deadLettersUrl, MessageBody: body, MessageAttributes: {} })
      if (sent.kind === 'refused') throw sent.error
      receipts.push(receipt)
    }
    // What could not be deleted comes again, and its second dead letter is skipped.
    if (receipts.length > 0) await queue.deleteMessages(url, receipts)
    return receipts.length
  },
})
