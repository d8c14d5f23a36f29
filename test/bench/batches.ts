import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { Context, SQSEvent, SQSRecord } from 'aws-lambda'
import { receiverOn } from './counts.ts'
import { delivery, SECRET, SIZES, SOURCE } from './deliveries.ts'
import type { Stub } from './stub.ts'

export const BATCH_SIZE = 10

/** Batches as Lambda hands them over, of events that our receiver has queued: sealed for our worker, or the body alone. */
export const writeBatches = async (stub: Stub, file: string, count: number, kind: 'sealed' | 'body'): Promise<void> => {
  const receive = receiverOn(stub, { provider: SOURCE, retain: 'none' })
  const records: SQSRecord[] = []
  const prefix = randomUUID().slice(0, 8)
  for (let index = 0; index < count * BATCH_SIZE; index += 1) {
    const event = delivery(`evt_${prefix}_${index}`, SIZES['8KB'], SECRET, Date.now())
    if (kind === 'body') records.push(record(event.body ?? ''))
    else {
      stub.take()
      await receive(event, {} as Context)
      const sent = stub.take().find(({ operation }) => operation === 'SendMessage')
      records.push(record(String(sent?.input.MessageBody)))
    }
  }
  const batches: SQSEvent[] = Array.from({ length: count }, (_, index) => ({
    Records: records.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  }))
  writeFileSync(file, JSON.stringify(batches))
}

const record = (body: string): SQSRecord => ({
  messageId: randomUUID(),
  receiptHandle: randomUUID(),
  body,
  attributes: {
    ApproximateReceiveCount: '1',
    SentTimestamp: String(Date.now()),
    SenderId: 'bench',
    ApproximateFirstReceiveTimestamp: String(Date.now()),
  },
  messageAttributes: {},
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:events',
  awsRegion: 'us-east-1',
})
