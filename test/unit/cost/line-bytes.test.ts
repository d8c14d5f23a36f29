import { randomUUID } from 'node:crypto'
import { marshall } from '@aws-sdk/util-dynamodb'
import type { Context } from 'aws-lambda'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workLine } from '../../../functions/consume/work-line.ts'
import { type Millis, millis } from '../../../functions/domain/brands.ts'
import { ITEM_OVERHEAD, keptBytes, packedBytes } from '../../../lib/cost/counts.ts'
import { LINE_BYTES, LONGER_ID_BYTES, RECORD_BYTES } from '../../../lib/cost/monthly-bill.ts'
import { receiverOn } from '../../bench/counts.ts'
import { delivery, SECRET } from '../../bench/deliveries.ts'
import { type Stub, startStub } from '../../bench/stub.ts'
import { itemBytes, type WireItem } from '../../bench/write-units.ts'
import { RIG_NAMES } from '../../support/memory-rig.ts'
import { wholeRig } from '../../support/whole-rig.ts'

/** As long as Stripe's. */
const EVENT_ID = 'evt_1QbXyzAbCdEfGhIjKlMnOpQr'
/** Of an HTTP API; a REST API and a function URL have a UUID. */
const REQUEST_ID = 'JKJaXmPLvHcESHA='
/** No round instant: zeros at the end of a number take no bytes. */
const SOME_DAY = Date.UTC(2026, 8, 11, 10, 44, 16, 711)

let stub: Stub
const lines: string[] = []
let message = ''
let record: WireItem = {}
let body: WireItem = {}

beforeAll(async () => {
  stub = await startStub()
  // A clock of its own: a busy machine would make a slow delivery of it, whose line says where the time went.
  let at = SOME_DAY
  const now = () => millis(at++)
  const receive = receiverOn(stub, { provider: 'shopify' }, line => lines.push(line), now)
  // The first one of an environment also fetches its secrets, and says how long that took.
  await receive(delivery(`${EVENT_ID}0`, 8_000, SECRET, SOME_DAY), {} as Context)
  lines.length = 0
  stub.take()
  const event = delivery(EVENT_ID, 8_000, SECRET, SOME_DAY)
  const sent = { ...event, requestContext: { ...event.requestContext, requestId: REQUEST_ID } }
  await receive(sent, {} as Context)
  const asked = stub.take()
  message = String(asked.find(({ operation }) => operation === 'SendMessage')?.input.MessageBody)
  record = asked.findLast(({ input }) => input.TableName === 'events')?.after ?? {}
  const kept = asked.find(({ input }) => input.TableName === 'bodies')
  body = { ...(kept?.input.Key as WireItem), ...kept?.after }
  await receive(sent, {} as Context)
})
afterAll(() => stub.stop())

describe('what `hooklatch cost` takes for granted', () => {
  it('the lines of a new event and of a duplicate are as long as `hooklatch cost` says', () => {
    expect(lines).toHaveLength(2)
    for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(LINE_BYTES.delivery)
    expect(Buffer.byteLength(lines[0] ?? '')).toBeGreaterThan(LINE_BYTES.delivery - 5)
  })

  it('the line of an event that is handled is as long as `hooklatch cost` says, and no metric', () => {
    const at = SOME_DAY
    const line = workLine({
      environment: 'production',
      text: message,
      messageId: '94edc9b8-1e16-43ed-894e-df6aea8490b7',
      receiveCount: 1,
      sentAt: at - 34,
      ended: { work: 'done' },
      startedAt: at,
      finishedAt: (at + 128) as Millis,
    })
    expect(line).not.toContain('CloudWatchMetrics')
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(LINE_BYTES.work)
    expect(Buffer.byteLength(line)).toBeGreaterThan(LINE_BYTES.work - 5)
  })

  it('behind a function URL or a REST API, lines and records have a UUID instead of the id of an HTTP API', () => {
    const longer = randomUUID().length - REQUEST_ID.length
    expect(LONGER_ID_BYTES).toEqual({ http: 0, rest: longer, url: longer })
  })

  it('a record and its entry in the listing index are as large as `hooklatch cost` says', () => {
    const { fingerprint, listing, claimedAt } = record
    const entry = itemBytes({ fingerprint, listing, claimedAt } as WireItem)
    expect(entry + ITEM_OVERHEAD).toBeLessThanOrEqual(RECORD_BYTES.entry)
    expect(itemBytes(record) + ITEM_OVERHEAD).toBeLessThanOrEqual(RECORD_BYTES.item)
    expect(itemBytes(record) + ITEM_OVERHEAD).toBeGreaterThan(RECORD_BYTES.item - 5)
  })

  it('taking and finishing an event makes its record no larger', async () => {
    const at = wholeRig()
    // No round instants: zeros at the end of a number take no bytes.
    at.advance(1_234_567)
    await at.stripe({ id: EVENT_ID, object: 'event', type: 'invoice.paid' })
    const events = () => at.memory.engine.items(RIG_NAMES.eventsTable)
    const bytes = () => events().map(item => itemBytes(marshall(item) as unknown as WireItem))
    const [queued = 0] = bytes()
    at.advance(1_234)
    await at.deliver(async () => {}, at.texts())
    const [done = 0] = bytes()
    expect(events()).toMatchObject([{ status: 'done' }])
    expect(done).toBeLessThanOrEqual(queued)
  })

  it('a body that is kept for replay is stored in as many bytes as `hooklatch cost` says', () => {
    const beside = itemBytes(body) - Buffer.byteLength(String(body.bytes?.B), 'base64')
    const counted = keptBytes(8_000).bytes - packedBytes(8_000)
    expect(beside + ITEM_OVERHEAD).toBeLessThanOrEqual(counted)
    expect(beside + ITEM_OVERHEAD).toBeGreaterThan(counted - 5)
  })
})
