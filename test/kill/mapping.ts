import { setTimeout as sleep } from 'node:timers/promises'
import { DeleteMessageCommand, ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs'
import { batchVerdict } from '../../lib/local/batch-verdict.ts'
import { sqsEvent } from '../../lib/local/sqs-event.ts'
import type { FunctionName } from './bundle.ts'
import type { Lambda } from './lambda.ts'

export interface Going {
  stop(): Promise<void>
}

/** Lambda's event source mapping: what its function does not return as failed is deleted, what it dies with comes back. */
export const startMapping = (lambda: Lambda, name: FunctionName, sqs: SQSClient, QueueUrl: string): Going =>
  repeatedly(async () => {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: 5,
        WaitTimeSeconds: 1,
        MessageSystemAttributeNames: ['All'],
      }),
    )
    if (Messages.length === 0) return
    const event = sqsEvent(Messages, 'arn:aws:sqs:us-east-1:000000000000:queue')
    const invoked = await lambda.invoke(name, event)
    if (invoked.kind !== 'returned') return
    const verdict = batchVerdict(new Set(event.Records.map(({ messageId }) => messageId)), invoked.value)
    if (verdict.kind === 'malformed') throw new Error(verdict.why)
    for (const { messageId, receiptHandle } of event.Records) {
      if (!verdict.failed.has(messageId))
        await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: receiptHandle }))
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
