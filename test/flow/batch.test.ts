import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { EventClaims, Queue } from '../../functions/domain/ports.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { sliceItems } from '../../functions/providers/slice-items.ts'
import { problemType } from '../support/problem-type.ts'
import { type ReceiveRig, receiveRig } from '../support/receive-rig.ts'

const SOURCES: Sources = { gocardless: { provider: 'gocardless' } }
const SECRET = 'gocardless-bench-0123456789'

const open = (sources: Sources = SOURCES): ReceiveRig => receiveRig({ sources, secrets: { gocardless: [SECRET] } })

const post = (at: ReceiveRig, events: readonly object[] | string) => {
  const body = typeof events === 'string' ? events : JSON.stringify({ events })
  const signature = createHmac('sha256', SECRET).update(body).digest('hex')
  return at.post({ source: 'gocardless', body, headers: { 'webhook-signature': signature } })
}

const events = (...ids: string[]) => ids.map(id => ({ id, resource_type: 'payments', action: 'paid_out' }))
const many = (count: number) => events(...Array.from({ length: count }, (_, index) => `EV${index}`))

describe('a delivery of many events', () => {
  it('a delivery of many events becomes as many events, each with its own record, message and bytes', async () => {
    const at = open()
    const answer = await post(at, '{ "events": [ {"id":"EV1", "n": 12345678901234567890},\n {"id":"EV2"} ] }')
    expect(answer.status).toBe(202)
    expect(answer.body).toMatchObject({ status: 'accepted', accepted: 2, duplicate: 0 })
    expect(at.messages().map(({ eventId }) => eventId)).toEqual(['EV1', 'EV2'])
    expect([...at.records.values()].map(({ status }) => status)).toEqual(['queued', 'queued'])
    const [first] = at.messages()
    expect(first?.body.encoding === 'base64' && Buffer.from(first.body.data, 'base64').toString()).toBe(
      '{"id":"EV1", "n": 12345678901234567890}',
    )
  })

  it('a delivery of many events is sent in as few calls as the queue takes', async () => {
    const at = open()
    await post(at, many(25))
    expect(at.calls).toMatchObject({ claim: 25, sendBatch: 1, settle: 25 })
    expect(at.messages()).toHaveLength(25)
  })

  it('repeats inside one delivery are merged first', async () => {
    const at = open()
    const answer = await post(at, events('EV1', 'EV2', 'EV1'))
    expect(answer.body).toMatchObject({ accepted: 2, duplicate: 0 })
    expect(at.calls.claim).toBe(2)
  })

  it('a delivery of many events that was received before is a duplicate, whole or in part', async () => {
    const at = open()
    await post(at, events('EV1', 'EV2'))
    expect((await post(at, events('EV2', 'EV3'))).body).toMatchObject({ status: 'accepted', accepted: 1, duplicate: 1 })
    const again = await post(at, events('EV1', 'EV2', 'EV3'))
    expect([again.status, again.body]).toMatchObject([200, { status: 'duplicate', accepted: 0, duplicate: 3 }])
    expect(at.messages()).toHaveLength(3)
  })

  it('a delivery with one event that is in flight is answered 503, and its retry finishes the rest', async () => {
    const at = open()
    const stuck: Queue['sendBatch'] = () => new Promise(() => {})
    void post(
      receiveRig({ sources: SOURCES, world: { ...at.world, queue: { ...at.world.queue, sendBatch: stuck } } }),
      events('EV1'),
    )
    await new Promise(setImmediate)
    const answer = await post(at, events('EV1', 'EV2'))
    expect(answer.status).toBe(503)
    expect(answer.body).toMatchObject({ type: problemType('unavailable'), accepted: 1, inFlight: 1 })
    at.advance(15_000)
    expect((await post(at, events('EV1', 'EV2'))).body).toMatchObject({ accepted: 1, duplicate: 1 })
    expect(at.messages().map(({ eventId }) => eventId)).toEqual(['EV2', 'EV1'])
  })

  it('if the queue refuses one event of a delivery, the others are accepted and that one is released for the retry', async () => {
    const at = open()
    const sendBatch: Queue['sendBatch'] = async (entries, key) => {
      const taken = entries.filter(({ message }) => message.eventId !== 'EV2')
      await at.world.queue.sendBatch(taken, key)
      return entries.map(({ message }) =>
        message.eventId === 'EV2' ? { kind: 'refused', cause: 'x' } : { kind: 'sent' },
      )
    }
    const picky = receiveRig({ sources: SOURCES, world: { ...at.world, queue: { ...at.world.queue, sendBatch } } })
    const answer = await post(picky, events('EV1', 'EV2', 'EV3'))
    expect(answer.body).toMatchObject({ type: problemType('unavailable'), accepted: 2, unavailable: 1 })
    expect((await post(at, events('EV1', 'EV2', 'EV3'))).body).toMatchObject({ accepted: 1, duplicate: 2 })
  })

  it('a delivery is answered 503 if the claim of one of its events gets no answer', async () => {
    const at = open()
    const claim: EventClaims['claim'] = async record =>
      record.eventId === 'EV2' ? { kind: 'unavailable', cause: 'x' } : at.world.claims.claim(record)
    const shaky = receiveRig({ sources: SOURCES, world: { ...at.world, claims: { ...at.world.claims, claim } } })
    expect((await post(shaky, events('EV1', 'EV2'))).body).toMatchObject({ accepted: 1, unavailable: 1 })
  })

  it('a delivery with one event that is rejected is answered like that event, and the others are taken', async () => {
    const at = open()
    const claim: EventClaims['claim'] = async record =>
      record.eventId === 'EV2' ? { kind: 'taken' } : at.world.claims.claim(record)
    const picky = receiveRig({ sources: SOURCES, world: { ...at.world, claims: { ...at.world.claims, claim } } })
    const answer = await post(picky, events('EV1', 'EV2'))
    expect([answer.status, answer.body.type]).toEqual([401, problemType('signature')])
    expect(at.messages().map(({ eventId }) => eventId)).toEqual(['EV1'])
  })

  it.each([
    ['that has no list', '{"events":{}}'],
    ['that is a list of another kind', '[{"id":"EV1"}]'],
  ])('a delivery %s is one event, named as the provider names a delivery', async (_name, body) => {
    const at = open()
    expect((await post(at, body)).status).toBe(202)
    expect((await post(at, body)).status).toBe(200)
    expect(at.messages()).toHaveLength(1)
  })

  it('an empty list of events is answered 200 and accepts nothing', async () => {
    const answer = await post(open(), [])
    expect([answer.status, answer.body]).toMatchObject([200, { status: 'empty', accepted: 0 }])
  })

  it('a delivery of many events is counted once as received, and each of its events as accepted', async () => {
    const at = open()
    await post(at, many(3))
    expect(JSON.parse(at.lines[0] ?? '')).toMatchObject({ Accepted: 3, outcome: 'batch', status: 202 })
  })

  it('a delivery of many events stays one event if the source names the whole delivery itself', async () => {
    const at = open({ gocardless: { provider: 'gocardless', identity: 'body' } })
    await post(at, many(3))
    expect(at.messages()).toHaveLength(1)
  })
})

describe('the items of a list', () => {
  it.each([
    ['[1, "a,]", {"b":[2,3]} ,null]', 'root array', ['1', '"a,]"', '{"b":[2,3]}', 'null']],
    ['{"a":{"b":[ [1],[] ]},"c":[9]}', 'json:a.b', ['[1]', '[]']],
    ['{"a":[1],"a":[2]}', 'json:a', ['2']],
    ['{"\\u0061":["\\"\\\\"]}', 'json:a', ['"\\"\\\\"']],
    [' [ ] ', 'root array', []],
  ] as const)('the items of the list %s at %s are %j', (text, path, items) => {
    expect(sliceItems(text, path)).toEqual(items)
  })

  it.each([
    ['{"a":1}', 'root array'],
    ['{"a":1}', 'json:a'],
    ['{"a":{}}', 'json:a.b'],
    ['nope', 'root array'],
  ] as const)('the text %s has no list of items at %s', (text, path) => {
    expect(sliceItems(text, path)).toBeUndefined()
  })
})
