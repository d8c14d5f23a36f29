import type { Context } from 'aws-lambda'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workLine } from '../../../functions/consume/work-line.ts'
import type { Millis } from '../../../functions/domain/brands.ts'
import { LINE_BYTES, RECORD_BYTES } from '../../../lib/cost/monthly-bill.ts'
import { receiverOn } from '../../bench/counts.ts'
import { delivery, SECRET } from '../../bench/deliveries.ts'
import { type Stub, startStub } from '../../bench/stub.ts'
import { itemBytes, type WireItem } from '../../bench/write-units.ts'

/** As long as Stripe's. */
const EVENT_ID = 'evt_1QbXyzAbCdEfGhIjKlMnOpQr'
const REQUEST_ID = 'JKJaXmPLvHcESHA='

let stub: Stub
const lines: string[] = []
let message = ''
let record: WireItem = {}

beforeAll(async () => {
  stub = await startStub()
  const receive = receiverOn(stub, { provider: 'shopify' }, line => lines.push(line))
  // The first one of an environment also fetches its secrets, and says how long that took.
  await receive(delivery(`${EVENT_ID}0`, 8_000, SECRET, Date.now()), {} as Context)
  lines.length = 0
  stub.take()
  const event = delivery(EVENT_ID, 8_000, SECRET, Date.now())
  const sent = { ...event, requestContext: { ...event.requestContext, requestId: REQUEST_ID } }
  await receive(sent, {} as Context)
  const asked = stub.take()
  message = String(asked.find(({ operation }) => operation === 'SendMessage')?.input.MessageBody)
  record = asked.findLast(({ input }) => input.TableName === 'events')?.after ?? {}
  await receive(sent, {} as Context)
})
afterAll(() => stub.stop())

describe('what `hooklatch cost` takes for granted', () => {
  it('the lines of a new event and of a duplicate are as long as `hooklatch cost` says', () => {
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(LINE_BYTES.delivery)
    expect(Buffer.byteLength(lines[0] ?? '')).toBeGreaterThan(LINE_BYTES.delivery - 40)
  })

  it('the line of an event that is handled is as long as `hooklatch cost` says, and no metric', () => {
    const at = Date.now()
    const line = workLine({
      environment: 'production',
      text: message,
      messageId: '94edc9b8-1e16-43ed-894e-df6aea8490b7',
      receiveCount: 1,
      sentAt: at,
      ended: { work: 'done' },
      startedAt: at,
      finishedAt: (at + 128) as Millis,
    })
    expect(line).not.toContain('CloudWatchMetrics')
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(LINE_BYTES.work)
    expect(Buffer.byteLength(line)).toBeGreaterThan(LINE_BYTES.work - 40)
  })

  it('a record and its entry in the listing index are as large as `hooklatch cost` says', () => {
    const { fingerprint, listing, claimedAt } = record
    const entry = itemBytes({ fingerprint, listing, claimedAt } as WireItem)
    expect(entry + OVERHEAD).toBeLessThanOrEqual(RECORD_BYTES.entry)
    // Taking and finishing it adds a few numbers.
    expect(itemBytes(record) + OVERHEAD + 60).toBeLessThanOrEqual(RECORD_BYTES.item)
  })
})

/** Of an item and of an entry of an index: what DynamoDB bills besides. */
const OVERHEAD = 100
