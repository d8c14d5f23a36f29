import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { problemType } from '../../support/problem-type.ts'
import { type ReceiveRig, receiveRig } from '../../support/receive-rig.ts'
import { down, where } from '../accept/rig.ts'

const SECRET = 'batch-secret-0123456789'
const sources = {
  gocardless: { provider: 'gocardless', storeFirst: false },
  hubspot: { provider: 'hubspot' },
  asana: { provider: 'asana' },
}
const open = () => receiveRig({ sources, secrets: { gocardless: [SECRET], hubspot: [SECRET], asana: [SECRET] } })

const hmac = (body: string | Uint8Array) => createHmac('sha256', SECRET).update(body).digest('hex')

const gocardless = (at: ReceiveRig, body: string | Uint8Array) =>
  at.post({ source: 'gocardless', body, headers: { 'webhook-signature': hmac(body) } })

const list = (...events: object[]) => JSON.stringify({ events })
const eventIds = (at: ReceiveRig) => at.messages().map(({ eventId }) => eventId)

describe('the answer to many events', () => {
  it('the answer to many events names them all, as JSON', async () => {
    const at = open()
    const answer = await gocardless(at, list({ id: 'EV1' }, { id: 'EV2' }))
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'x-correlation-id': expect.stringMatching(/./),
    })
    expect(answer.body).toMatchObject({ ids: at.messages().map(({ id }) => id) })
    expect(answer.body).not.toHaveProperty('id')
  })

  it('the answer to a list of one event is that of a single event', async () => {
    const at = open()
    const answer = await gocardless(at, list({ id: 'EV1' }))
    expect(answer.body).toMatchObject({ id: at.messages()[0]?.id })
    expect(answer.body).not.toHaveProperty('ids')
  })

  it('the log line of many events names none that could not be taken', async () => {
    const at = open()
    const claim: typeof at.world.claims.claim = async record =>
      record.eventId === 'EV2' ? down : at.world.claims.claim(record)
    const shaky = where(at, { claims: { claim } })
    await gocardless(shaky, list({ id: 'EV1' }, { id: 'EV2' }))
    expect(JSON.parse(shaky.lines[0] ?? '').ids).toEqual([at.messages()[0]?.id])
  })
})

describe('a delivery of many events', () => {
  it('a delivery of many events is refused whole if one has an impossible id, before anything is claimed', async () => {
    const at = open()
    const answer = await gocardless(at, list({ id: 'EV1' }, { id: {} }))
    expect([answer.status, answer.body.type]).toEqual([400, problemType('identity')])
    expect(at.calls).toEqual({})
  })

  it('a delivery of many events that are all known does not call the queue', async () => {
    const at = open()
    await gocardless(at, list({ id: 'EV1' }))
    await gocardless(at, list({ id: 'EV1' }))
    expect(at.calls).toMatchObject({ claim: 2, sendBatch: 1 })
  })

  it('if the body of one event of a delivery cannot be stored, the others are sent and that one alone comes again', async () => {
    const noise = Array.from({ length: 40_000 }, (_, index) => createHash('sha256').update(`${index}`).digest('hex'))
    const body = list({ id: 'EV1' }, { id: 'EV2', noise: noise.join('') }, { id: 'EV3' })
    const at = open()
    const keep: typeof at.world.bodies.keep = async (kept, ...when) =>
      kept.eventId === 'EV2' ? down : at.world.bodies.keep(kept, ...when)
    const answer = await gocardless(where(at, { bodies: { keep } }), body)
    expect([answer.status, answer.body]).toMatchObject([503, { accepted: 2, unavailable: 1 }])
    expect(eventIds(at)).toEqual(['EV1', 'EV3'])
    expect((await gocardless(at, body)).body).toMatchObject({ accepted: 1, duplicate: 2 })
    expect(eventIds(at)).toEqual(['EV1', 'EV3', 'EV2'])
  })

  it('a delivery of many events that is not UTF-8 is one event with exactly its bytes', async () => {
    const bytes = Buffer.concat([Buffer.from('{"events":[{"id":"EV1","n":"'), Buffer.of(0xff), Buffer.from('"}]}')])
    const at = open()
    expect((await gocardless(at, bytes)).status).toBe(202)
    const [message] = at.messages()
    expect(message?.body.encoding === 'base64' && Buffer.from(message.body.data, 'base64')).toEqual(bytes)
  })
})

describe('an event of a list', () => {
  it('an event of a list that is named by several fields is another one if any of them differs', async () => {
    const item = { portalId: 1, subscriptionId: 2, objectId: 3, occurredAt: 4, propertyName: 'p', eventId: 5 }
    const items = [item, { ...item, eventId: 6 }, { ...item, portalId: 9 }, { ...item, propertyName: 'q' }, item]
    const body = JSON.stringify(items)
    const at = open()
    const now = `${at.world.now()}`
    const signed = `POSThttps://hooks.example.com/webhooks/hubspot${body}${now}`
    const signature = createHmac('sha256', SECRET).update(signed).digest('base64')
    const headers = { 'x-hubspot-signature-v3': signature, 'x-hubspot-request-timestamp': now }
    expect((await at.post({ source: 'hubspot', body, headers })).body).toMatchObject({ accepted: 4, duplicate: 0 })
    expect(eventIds(at)).toEqual(['5', '6', '5', '5'])
  })

  it('an event of a list without any id is the same in another spelling of its JSON', async () => {
    const at = open()
    const post = (body: string) => at.post({ source: 'asana', body, headers: { 'x-hook-signature': hmac(body) } })
    await post('{"events":[{"action":"changed","user":1}]}')
    expect((await post('{"events":[{ "user":1, "action":"changed" }]}')).body).toMatchObject({ duplicate: 1 })
  })
})
