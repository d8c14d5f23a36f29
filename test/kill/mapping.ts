import { setTimeout as sleep } from 'node:timers/promises'
import type { QueueCalls } from '../../functions/adapters/wire/queue-calls.ts'
import { batchVerdict } from '../../lib/local/batch-verdict.ts'
import { sqsEvent } from '../../lib/local/sqs-event.ts'
import type { FunctionName } from './bundle.ts'
import type { Lambda } from './lambda.ts'

export interface Going {
  stop(): Promise<void>
}

/** Lambda's event source mapping: what its function does not return as failed is deleted, what it dies with comes back. */
export const startMapping = (lambda: Lambda, name: FunctionName, queue: QueueCalls, queueUrl: string): Going =>
  repeatedly(async () => {
    const messages = await queue.receiveMessages(queueUrl, { waitSeconds: 1 })
    if (messages.length === 0) return
    const event = sqsEvent(messages, 'arn:aws:sqs:us-east-1:000000000000:queue')
    const invoked = await lambda.invoke(name, event)
    if (invoked.kind !== 'returned') return
    const verdict = batchVerdict(new Set(event.Records.map(({ messageId }) => messageId)), invoked.value)
    if (verdict.kind === 'malformed') throw new Error(verdict.why)
    const over = event.Records.filter(({ messageId }) => !verdict.failed.has(messageId))
    if (over.length > 0) {
      await queue.deleteMessages(
        queueUrl,
        over.map(({ receiptHandle }) => receiptHandle),
      )
    }
  })

export const startSchedule = (lambda: Lambda, name: FunctionName, everyMs: number): Going =>
  repeatedly(async () => {
    await lambda.invoke(name, {})
    await sleep(everyMs)
  })

const repeatedly = (act: () => Promise<void>): Going => {
  let stopped = false
  const loop = async (): Promise<void> => {
    while (!stopped) await act()
  }
  const ended = loop()
  return {
    stop: () => {
      stopped = true
      return ended
    },
  }
}
