import { expect, it } from 'vitest'
import { sqsEvent } from '../../../lib/local/sqs-event.ts'

const ARN = 'arn:aws:sqs:eu-west-1:123456789012:orders.fifo'

it('a received message becomes the record that Lambda documents', () => {
  const received = {
    messageId: '059f36b4-87a3-44ab-83d2-661975830a7d',
    receipt: 'AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a',
    body: 'Test message.',
    system: {
      ApproximateReceiveCount: '2',
      SentTimestamp: '1545082649183',
      SequenceNumber: '18849496460467696128',
      MessageGroupId: '1',
      SenderId: 'AIDAIENQZJOLO23YVJ4VO',
      MessageDeduplicationId: '1',
      ApproximateFirstReceiveTimestamp: '1545082649185',
    },
    attributes: { source: 'stripe' },
  }
  expect(sqsEvent([received], ARN)).toEqual({
    Records: [
      {
        messageId: '059f36b4-87a3-44ab-83d2-661975830a7d',
        receiptHandle: 'AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a',
        body: 'Test message.',
        attributes: received.system,
        messageAttributes: {
          source: { stringValue: 'stripe', stringListValues: [], binaryListValues: [], dataType: 'String' },
        },
        md5OfBody: 'e4e68fb7bd0e697a0ae8f1bb342846b3',
        eventSource: 'aws:sqs',
        eventSourceARN: ARN,
        awsRegion: 'eu-west-1',
      },
    ],
  })
})

it('a message without attributes has an empty map of them', () => {
  const [record] = sqsEvent([{ messageId: 'm', receipt: 'r', body: '', system: {}, attributes: {} }], ARN).Records
  expect(record).toMatchObject({ body: '', attributes: {}, messageAttributes: {} })
})

it('a function whose clock is ahead of the queue is told when a message was sent by its own clock', () => {
  const message = { messageId: 'm', receipt: 'r', body: '', attributes: {} }
  const sent = { ...message, system: { SentTimestamp: '1000', ApproximateReceiveCount: '1' } }
  const [moved, unsaid] = sqsEvent([sent, { ...message, system: {} }], ARN, 500).Records
  expect(moved?.attributes).toEqual({ SentTimestamp: '1500', ApproximateReceiveCount: '1' })
  expect(unsaid?.attributes).toEqual({})
})
