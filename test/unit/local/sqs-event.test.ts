import { expect, it } from 'vitest'
import { sqsEvent } from '../../../lib/local/sqs-event.ts'

const ARN = 'arn:aws:sqs:eu-west-1:123456789012:orders.fifo'

it('a received message becomes the record that Lambda documents', () => {
  const received = {
    MessageId: '059f36b4-87a3-44ab-83d2-661975830a7d',
    ReceiptHandle: 'AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a',
    Body: 'Test message.',
    MD5OfBody: 'e4e68fb7bd0e697a0ae8f1bb342846b3',
    MD5OfMessageAttributes: '00484c68cab1f7b5b0b2c3e6a1a8bff7',
    Attributes: {
      ApproximateReceiveCount: '2',
      SentTimestamp: '1545082649183',
      SequenceNumber: '18849496460467696128',
      MessageGroupId: '1',
      SenderId: 'AIDAIENQZJOLO23YVJ4VO',
      MessageDeduplicationId: '1',
      ApproximateFirstReceiveTimestamp: '1545082649185',
    },
    MessageAttributes: {
      source: { DataType: 'String', StringValue: 'stripe' },
      seal: { DataType: 'Binary', BinaryValue: Uint8Array.of(0xff, 0x00) },
    },
  }
  expect(sqsEvent([received], ARN)).toEqual({
    Records: [
      {
        messageId: '059f36b4-87a3-44ab-83d2-661975830a7d',
        receiptHandle: 'AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a',
        body: 'Test message.',
        attributes: received.Attributes,
        messageAttributes: {
          source: { stringValue: 'stripe', stringListValues: [], binaryListValues: [], dataType: 'String' },
          seal: { binaryValue: '/wA=', stringListValues: [], binaryListValues: [], dataType: 'Binary' },
        },
        md5OfBody: 'e4e68fb7bd0e697a0ae8f1bb342846b3',
        md5OfMessageAttributes: '00484c68cab1f7b5b0b2c3e6a1a8bff7',
        eventSource: 'aws:sqs',
        eventSourceARN: ARN,
        awsRegion: 'eu-west-1',
      },
    ],
  })
})

it('a message without attributes has an empty map of them', () => {
  const [record] = sqsEvent([{ MessageId: 'm', ReceiptHandle: 'r', Body: '', MD5OfBody: 'd' }], ARN).Records
  expect(record).toMatchObject({ body: '', messageAttributes: {} })
  expect(record).not.toHaveProperty('md5OfMessageAttributes')
})
