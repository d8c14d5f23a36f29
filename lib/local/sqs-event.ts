import { hash } from 'node:crypto'
import type { SQSEvent, SQSMessageAttribute, SQSRecord, SQSRecordAttributes } from 'aws-lambda'
import type { ReceivedMessage } from '../../functions/adapters/wire/queue-calls.ts'

/**
 * What was received from a queue, as Lambda's event source mapping tells it to a function. `ahead`: by so many milliseconds the function's clock is ahead
 * of the queue's. By a clock that was set to next month, each message would be too old to be handled.
 */
export const sqsEvent = (messages: readonly ReceivedMessage[], queueArn: string, ahead = 0): SQSEvent => ({
  Records: messages.map(message => record(message, queueArn, ahead)),
})

const record = (message: ReceivedMessage, queueArn: string, ahead: number): SQSRecord => ({
  messageId: message.messageId,
  receiptHandle: message.receipt,
  body: message.body,
  attributes: timed(message.system, ahead),
  messageAttributes: Object.fromEntries(
    Object.entries(message.attributes).map(([name, value]) => [name, attribute(value)]),
  ),
  md5OfBody: hash('md5', message.body),
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: queueArn.split(':')[3] ?? '',
})

const timed = (system: ReceivedMessage['system'], ahead: number): SQSRecordAttributes => {
  const { SentTimestamp: sentAt } = system
  const shifted = ahead === 0 || sentAt === undefined ? {} : { SentTimestamp: String(Number(sentAt) + ahead) }
  return { ...system, ...shifted } as unknown as SQSRecordAttributes
}

/** The lists are reserved by SQS and always empty. */
const attribute = (stringValue: string): SQSMessageAttribute => ({
  stringValue,
  stringListValues: [],
  binaryListValues: [],
  dataType: 'String',
})
