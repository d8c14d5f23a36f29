import { hash } from 'node:crypto'
import type { SQSEvent, SQSMessageAttribute, SQSRecord, SQSRecordAttributes } from 'aws-lambda'
import type { ReceivedMessage } from '../../functions/adapters/wire/queue-calls.ts'

/** What was received from a queue, as Lambda's event source mapping tells it to a function. */
export const sqsEvent = (messages: readonly ReceivedMessage[], queueArn: string): SQSEvent => ({
  Records: messages.map(message => record(message, queueArn)),
})

const record = ({ messageId, receipt, body, system, attributes }: ReceivedMessage, queueArn: string): SQSRecord => ({
  messageId,
  receiptHandle: receipt,
  body,
  attributes: { ...system } as unknown as SQSRecordAttributes,
  messageAttributes: Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, attribute(value)])),
  md5OfBody: hash('md5', body),
  eventSource: 'aws:sqs',
  eventSourceARN: queueArn,
  awsRegion: queueArn.split(':')[3] ?? '',
})

/** The lists are reserved by SQS and always empty. */
const attribute = (stringValue: string): SQSMessageAttribute => ({
  stringValue,
  stringListValues: [],
  binaryListValues: [],
  dataType: 'String',
})
