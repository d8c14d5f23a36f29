import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { BODY_LIMIT_BYTES } from '../../functions/contract/limits.ts'
import { isAllowed } from '../../functions/domain/caller.ts'
import type { EventMoves, Queue } from '../../functions/domain/ports.ts'
import { problemType } from '../support/problem-type.ts'
import { ORDER, publishRig } from '../support/publish-rig.ts'
import { stripeHeader } from '../support/receive-rig.ts'

const ID = /^[0-9a-f]{64}$/
const OTHER = '{"orderId":"o-2","type":"order.created"}'
const down = { kind: 'unavailable', cause: 'down' } as const

describe('the cases of the IETF draft, at /publish', () => {
  it('a first request to publish is accepted: 202 with the id of its event, queued and remembered', async () => {
    const at = publishRig()
    const answer = await at.publish()
    expect(answer).toMatchObject({ status: 202, body: { status: 'accepted', id: expect.stringMatching(ID) } })
    expect(answer.headers).not.toHaveProperty('idempotent-replayed')
    expect(answer.headers['idempotency-key-expires']).toBe('Mon, 14 Dec 2026 12:00:00 GMT')
    expect(at.messages()).toMatchObject([
      { id: answer.body.id, source: 'orders', provider: 'internal', eventId: 'key-1', type: 'order.created' },
    ])
    expect([...at.records.values()]).toMatchObject([{ status: 'queued', eventId: 'key-1', attempts: 0 }])
  })

  it('a retry after completion gets the same answer, marked as replayed, for one store call', async () => {
    const at = publishRig()
    const first = await at.publish()
    for (const name of Object.keys(at.calls)) delete at.calls[name]
    at.advance(3_600_000)
    const second = await at.publish()
    expect([second.status, second.body]).toEqual([first.status, first.body])
    expect(second.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'idempotency-key-expires': 'Mon, 14 Dec 2026 12:00:00 GMT',
    })
    expect(at.calls).toEqual({ claim: 1 })
    expect(at.messages()).toHaveLength(1)
  })

  it.each(['working', 'done', 'failed'] as const)(
    'a retry of an event that is %s gets the same answer',
    async status => {
      const at = publishRig()
      const first = await at.publish()
      const [record] = at.records.values()
      if (record) at.records.set({ ...record, status })
      expect(await at.publish()).toMatchObject({
        status: 202,
        body: first.body,
        headers: { 'idempotent-replayed': 'true' },
      })
      expect(at.messages()).toHaveLength(1)
    },
  )

  it('a retry while the first request is running is a 409 that says when to come again', async () => {
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const queue: Partial<Queue> = {
      send: async () => {
        begun.resolve()
        await held.promise
        return { kind: 'sent' }
      },
    }
    const at = publishRig({ world: { queue: queue as Queue } })
    const first = at.publish()
    await begun.promise
    expect(await at.publish()).toMatchObject({
      status: 409,
      body: { type: problemType('processing') },
      headers: { 'retry-after': '1' },
    })
    held.resolve()
    expect((await first).status).toBe(202)
    expect((await at.publish()).status).toBe(202)
  })

  it('a key that comes again with another payload is a 422, and changes nothing', async () => {
    const at = publishRig()
    await at.publish()
    const before = structuredClone([...at.records.values()])
    expect(await at.publish({ body: OTHER })).toMatchObject({ status: 422, body: { type: problemType('key-reused') } })
    expect([...at.records.values()]).toEqual(before)
    expect(at.messages()).toHaveLength(1)
  })

  it('a request without a key is a 400 that links to the documentation, without a store call', async () => {
    const at = publishRig()
    const answer = await at.publish({ key: null })
    expect(answer).toMatchObject({
      status: 400,
      body: { type: problemType('key-missing'), documentation: 'docs/publish.md#answers' },
    })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/problem+json',
      link: expect.stringContaining('rel="describedby"'),
    })
    expect(at.calls).toEqual({})
  })

  it('an expired key is a new one', async () => {
    const at = publishRig()
    const first = await at.publish()
    at.advance(29 * 86_400_000)
    const second = await at.publish({ body: OTHER })
    expect(second).toMatchObject({ status: 202, body: { id: first.body.id } })
    expect(second.headers).not.toHaveProperty('idempotent-replayed')
    expect(at.messages()).toHaveLength(2)
  })
})

describe('a producer that died between claim and queue', () => {
  const abandoned = async () => {
    const at = publishRig()
    const { queue } = at.world
    const broken = publishRig({ world: { ...at.world, queue: { ...queue, send: async () => down } } })
    expect((await broken.publish()).status).toBe(503)
    return at
  }

  it('the key of a producer that died is taken over after the lease by the same payload', async () => {
    const at = await abandoned()
    expect((await at.publish()).status).toBe(409)
    at.advance(15_000)
    const answer = await at.publish()
    expect(answer.status).toBe(202)
    expect(answer.headers).not.toHaveProperty('idempotent-replayed')
    expect(at.messages()).toHaveLength(1)
  })

  it('the key of a producer that died is free for no other payload, during the lease or after it', async () => {
    const at = await abandoned()
    expect((await at.publish({ body: OTHER })).status).toBe(422)
    at.advance(15_000)
    expect((await at.publish({ body: OTHER })).status).toBe(422)
    expect((await at.publish()).status).toBe(202)
    expect(at.messages()).toHaveLength(1)
  })
})

describe('who publishes', () => {
  it('a caller that IAM does not know is answered 403 before anything else', async () => {
    const at = publishRig()
    for (const source of ['orders', 'nowhere']) {
      expect(await at.publish({ caller: null, source })).toMatchObject({
        status: 403,
        body: { type: problemType('caller-unknown') },
      })
    }
    expect(at.calls).toEqual({})
  })

  it('two callers with one key publish two events', async () => {
    const at = publishRig()
    const alice = await at.publish({ caller: 'AIDAALICE' })
    const bob = await at.publish({ caller: 'AIDABOB' })
    expect(bob.headers).not.toHaveProperty('idempotent-replayed')
    expect(alice.body.id).not.toBe(bob.body.id)
    expect(at.messages().map(({ headers }) => headers['x-hooklatch-caller'])).toEqual(['AIDAALICE', 'AIDABOB'])
  })

  it('one caller with one key at two sources publishes two events', async () => {
    const at = publishRig({
      sources: { orders: { provider: 'internal', allow: '*' }, refunds: { provider: 'internal', allow: '*' } },
    })
    const [order, refund] = [await at.publish(), await at.publish({ source: 'refunds', body: OTHER })]
    expect([order.status, refund.status]).toEqual([202, 202])
    expect(order.body.id).not.toBe(refund.body.id)
  })

  it.each([
    ['its unique id', 'AROAROLE'],
    ['its account', '123456789012'],
    ['the ARN of its role, path and all', 'arn:aws:iam::123456789012:role/service/orders'],
  ])('a caller is let in by %s, whatever its session is called', (_, principal) => {
    const caller = {
      id: 'AROAROLE',
      accountId: '123456789012',
      arn: 'arn:aws:sts::123456789012:assumed-role/orders/i-0abc',
    }
    expect(isAllowed([principal], caller)).toBe(true)
    expect(isAllowed(['arn:aws:iam::123456789012:role/other', 'AROAOTHER', '210987654321'], caller)).toBe(false)
    expect(isAllowed(['arn:aws:iam::210987654321:role/orders'], caller)).toBe(false)
  })

  it('a caller that is not in the list is kept out, and learns no more', async () => {
    const at = publishRig({ sources: { orders: { provider: 'internal', allow: ['AIDABOB'] } } })
    expect(await at.publish({ key: null, body: 'x' })).toMatchObject({
      status: 403,
      body: { type: problemType('caller-refused') },
    })
    expect((await at.publish({ caller: 'AIDABOB' })).status).toBe(202)
  })

  it.each(['v1', 'v2', 'url'] as const)(
    'a source may be called batch: its route is that of one event (%s)',
    async format => {
      const at = publishRig({ sources: { batch: { provider: 'internal', allow: '*' } } })
      expect(await at.publish({ source: 'batch', format })).toMatchObject({ status: 202 })
      const body = `{"events":[{"key":"key-2","event":${ORDER}}]}`
      expect(await at.publish({ source: 'batch', batch: true, key: null, body, format })).toMatchObject({
        body: { results: [{ key: 'key-2', status: 202 }] },
      })
    },
  )

  it('a request in the other payload format of API Gateway is the same event', async () => {
    const at = publishRig()
    const first = await at.publish({ format: 'v1' })
    expect(await at.publish({ format: 'v2' })).toMatchObject({
      status: 202,
      body: first.body,
      headers: { 'idempotent-replayed': 'true' },
    })
  })
})

describe('keys that are refused', () => {
  it.each([
    ['empty', ''],
    ['only spaces', '   '],
    ['empty quotes', '""'],
    ['of 256 characters', 'k'.repeat(256)],
    ['of 10 kB', 'k'.repeat(10_240)],
    ['with a control character', 'a\u0007b'],
    ['with a space', 'a b'],
    ['with a quoted space', '"a b"'],
    ['with an umlaut', 'schl\u00fcssel'],
    ['joined by a comma', 'key-1,key-2'],
    ['a list of strings', '"a", "b"'],
    ['an inner list', '("a" "b")'],
    ['a number', '42'],
    ['a decimal', '-4.2'],
    ['a boolean', '?1'],
    ['with parameters', '"a";x=1'],
    ['bare, with parameters', 'a;x=1'],
    ['with an open quote', '"abc'],
    ['with a stray quote', 'ab"c'],
    ['with a wrong escape', '"a\\bc"'],
  ])('an Idempotency-Key is refused: %s', async (_, key) => {
    const at = publishRig()
    for (const format of ['v1', 'v2', 'url'] as const) {
      expect(await at.publish({ key, format })).toMatchObject({
        status: 400,
        body: { type: problemType('key-malformed') },
      })
    }
    expect(at.calls).toEqual({})
  })

  it.each(['v1', 'v2', 'url'] as const)('an Idempotency-Key that is sent twice is refused (%s)', async format => {
    const at = publishRig()
    expect(await at.publish({ key: ['key-1', 'key-2'], format })).toMatchObject({
      status: 400,
      body: { type: problemType('key-malformed') },
    })
  })
})

describe('keys that are taken', () => {
  it.each([
    ['of one character', 'k'],
    ['of 255 characters', 'k'.repeat(255)],
    ['quoted, of 255 characters', `"${'k'.repeat(255)}"`],
    ['a UUID', '8e03978e-40d5-43dd-bc93-6894a57f9324'],
    ['with every sign', "!#$%&'*+-./:<=>?@[]^_`{|}~"],
    ['a quoted number', '"42"'],
    ['a quoted comma', '"a,b"'],
  ])('an Idempotency-Key is taken: %s', async (_, key) => {
    expect((await publishRig().publish({ key })).status).toBe(202)
  })

  it('an Idempotency-Key is the same with quotes and without', async () => {
    const at = publishRig()
    const bare = await at.publish({ key: 'abc' })
    expect(await at.publish({ key: '"abc"' })).toMatchObject({
      status: 202,
      body: bare.body,
      headers: { 'idempotent-replayed': 'true' },
    })
    expect((await at.publish({ key: 'ABC' })).headers).not.toHaveProperty('idempotent-replayed')
  })
})

describe('requests that are refused', () => {
  it.each([
    ['a source that is not there', { source: 'nowhere' }, 404, 'unknown-source'],
    ['a source of webhooks', { source: 'stripe' }, 404, 'unknown-source'],
    ['GET', { method: 'GET' }, 405, 'method'],
    ['PUT', { method: 'PUT' }, 405, 'method'],
    ['a body over 4 MiB', { body: Buffer.alloc(BODY_LIMIT_BYTES + 1, 0x20) }, 413, 'too-large'],
    ['a compressed body', { headers: { 'content-encoding': 'gzip' } }, 415, 'encoding'],
    ['no body', { body: '' }, 400, 'body-not-json'],
    ['half a body', { body: '{"orderId":' }, 400, 'body-not-json'],
    ['a form', { body: 'payload={}' }, 400, 'body-not-json'],
    ['bytes that are not UTF-8', { body: Buffer.from([0x22, 0xff, 0x22]) }, 400, 'body-not-json'],
  ])('a request to publish is refused: %s', async (_, post, status, type) => {
    const at = publishRig()
    expect(await at.publish(post)).toMatchObject({ status, body: { type: problemType(type), status } })
    expect(at.calls).toEqual({})
    expect(at.messages()).toEqual([])
  })

  it('a webhook to an internal source is answered as to an unknown source', async () => {
    const at = publishRig()
    const answer = await at.post({
      source: 'orders',
      body: ORDER,
      headers: { 'stripe-signature': stripeHeader(ORDER, 'x', 0) },
    })
    expect(answer).toMatchObject({ status: 404, body: { type: problemType('unknown-source') } })
    expect(at.calls).toEqual({})
  })
})

describe('when something is out of order', () => {
  const failing = (port: 'claims' | 'queue' | 'secrets', call: string) => {
    const at = publishRig()
    return publishRig({ world: { ...at.world, [port]: { ...at.world[port], [call]: async () => down } } })
  }

  it.each([
    ['claims', 'claim'],
    ['queue', 'send'],
    ['secrets', 'fingerprintKey'],
  ] as const)('a request to publish is a 503, and never a 2xx, if %s.%s does not answer', async (port, call) => {
    const answer = await failing(port, call).publish()
    expect(answer).toMatchObject({
      status: 503,
      body: { type: problemType('unavailable') },
      headers: { 'retry-after': '15' },
    })
  })

  it('a request to publish is still a 202 if the settling does not answer, because the message is on the queue', async () => {
    const at = publishRig()
    const events: EventMoves = { ...at.world.events, settle: async () => down }
    expect((await publishRig({ world: { ...at.world, events } }).publish()).status).toBe(202)
  })

  it('a clock that is behind sends no second message while the first lease lives', async () => {
    const at = publishRig()
    const behind = publishRig({
      world: { ...at.world, now: () => (at.world.now() - 5_000) as ReturnType<typeof at.world.now> },
    })
    expect((await at.publish()).status).toBe(202)
    expect((await behind.publish()).headers).toMatchObject({ 'idempotent-replayed': 'true' })
  })
})

describe('a schema', () => {
  const order = { orderId: z.string(), type: z.enum(['order.created', 'order.paid']) }
  const schemas = {
    zod: z.looseObject(order),
    valibot: v.looseObject({ orderId: v.string(), type: v.picklist(['order.created', 'order.paid']) }),
  }

  it.each(Object.entries(schemas))(
    'a schema of %s lets a fitting event through as it was written',
    async (_, schema) => {
      const at = publishRig({ sources: { orders: { provider: 'internal', allow: '*', schema } } })
      const body = '{ "type":"order.paid", "extra": 1.10, "orderId":"o-1" }'
      expect((await at.publish({ body })).status).toBe(202)
      const [message] = at.messages()
      expect(message?.body.encoding === 'base64' && Buffer.from(message.body.data, 'base64').toString()).toBe(body)
    },
  )

  it.each(Object.entries(schemas))(
    'a schema of %s refuses another event with the places that are wrong, and claims nothing',
    async (_, schema) => {
      const at = publishRig({ sources: { orders: { provider: 'internal', allow: '*', schema } } })
      const answer = await at.publish({ body: '{"orderId":7,"type":"order.lost"}' })
      expect(answer).toMatchObject({
        status: 400,
        body: { type: problemType('schema'), issues: [{ at: '/orderId' }, { at: '/type' }] },
      })
      expect(at.calls).toEqual({})
      expect((await at.publish()).status).toBe(202)
    },
  )
})

describe('a batch', () => {
  const batch = (events: unknown) => ({ batch: true, key: null, body: JSON.stringify({ events }) })
  const event = (n: number) => ({ orderId: `o-${n}`, type: 'order.created' })

  it('a batch publishes each event under its own key, in as few sends as the queue takes', async () => {
    const at = publishRig()
    const events = Array.from({ length: 100 }, (_, n) => ({ key: `key-${n}`, event: event(n) }))
    const answer = await at.publish(batch(events))
    expect(answer.status).toBe(200)
    expect(answer.body.results).toHaveLength(100)
    for (const [n, result] of answer.body.results.entries()) {
      expect(result).toEqual({
        key: `key-${n}`,
        status: 202,
        id: expect.stringMatching(ID),
        expires: 'Mon, 14 Dec 2026 12:00:00 GMT',
      })
    }
    expect(at.calls).toMatchObject({ claim: 100, sendBatch: 1 })
    expect(at.messages()).toHaveLength(100)
  })

  it('a batch answers each event on its own: new, known, other payload, malformed', async () => {
    const at = publishRig()
    const first = await at.publish({ key: 'known' })
    await at.publish({ key: 'reused' })
    const answer = await at.publish(
      batch([
        { key: 'new', event: event(9) },
        { key: 'known', event: JSON.parse(ORDER) },
        { key: 'reused', event: event(2) },
        { key: 'new', event: event(9) },
        { key: 'a b', event: event(3) },
        { event: event(4) },
        { key: 'nothing' },
        7,
      ]),
    )
    expect(answer.body.results).toMatchObject([
      { key: 'new', status: 202 },
      { key: 'known', status: 202, id: first.body.id, replayed: true },
      { key: 'reused', status: 422, problem: { type: problemType('key-reused') } },
      { key: 'new', status: 202, replayed: true },
      { key: 'a b', status: 400, problem: { type: problemType('key-malformed') } },
      { key: null, status: 400, problem: { type: problemType('key-missing') } },
      { key: 'nothing', status: 400, problem: { type: problemType('batch-malformed') } },
      { key: null, status: 400, problem: { type: problemType('key-missing') } },
    ])
    expect(at.messages().map(({ eventId }) => eventId)).toEqual(['known', 'reused', 'new'])
  })

  it('a batch that is sent again is replayed, event by event', async () => {
    const at = publishRig()
    const sent = batch([
      { key: 'a', event: event(1) },
      { key: 'b', event: event(2) },
    ])
    const first = await at.publish(sent)
    const second = await at.publish(sent)
    expect(second.body.results).toEqual(first.body.results.map((result: object) => ({ ...result, replayed: true })))
    expect(at.messages()).toHaveLength(2)
  })

  it('a batch keeps the digits of a number that a double would round, as the single form does', async () => {
    const at = publishRig()
    const big = '{"orderId":12345678901234567890}'
    await at.publish({ batch: true, key: null, body: `{"events":[{"key":"big", "event": ${big} }]}` })
    expect(await at.publish({ key: 'big', body: big })).toMatchObject({
      status: 202,
      headers: { 'idempotent-replayed': 'true' },
    })
  })

  it('a batch is a 503 for each event if the queue does not answer, and a retry later publishes them', async () => {
    const at = publishRig()
    const broken = publishRig({
      world: { ...at.world, queue: { ...at.world.queue, sendBatch: async entries => entries.map(() => down) } },
    })
    const sent = batch([{ key: 'a', event: event(1) }])
    expect((await broken.publish(sent)).body.results).toMatchObject([{ key: 'a', status: 503 }])
    expect((await at.publish(sent)).body.results).toMatchObject([{ key: 'a', status: 409 }])
    at.advance(15_000)
    expect((await at.publish(sent)).body.results).toMatchObject([{ key: 'a', status: 202 }])
  })

  it.each([
    ['no JSON', 'x', 'body-not-json'],
    ['no list', '{"events":{}}', 'batch-malformed'],
    ['an empty list', '{"events":[]}', 'batch-malformed'],
    [
      '101 events',
      JSON.stringify({ events: Array.from({ length: 101 }, (_, n) => ({ key: `k${n}`, event: {} })) }),
      'batch-malformed',
    ],
  ])('a batch with %s is refused as a whole', async (_, body, type) => {
    const at = publishRig()
    expect(await at.publish({ batch: true, key: null, body })).toMatchObject({
      status: 400,
      body: { type: problemType(type) },
    })
    expect(at.calls).toEqual({})
  })
})

describe('the log line', () => {
  it('the log line of publish tells outcome and reason, and neither body nor caller', async () => {
    const at = publishRig()
    await at.publish()
    await at.publish()
    await at.publish({ body: OTHER })
    await at.publish({ source: 'x'.repeat(500) })
    const lines = at.lines.map(line => JSON.parse(line))
    expect(lines).toMatchObject([
      { Source: 'orders', outcome: 'accepted', status: 202, Accepted: 1, eventId: 'key-1' },
      { Source: 'orders', outcome: 'duplicate', status: 202, Duplicate: 1 },
      { Source: 'orders', outcome: 'rejected', status: 422, Rejected: 1, Reason: 'key-reused' },
      { Source: '(unknown)', outcome: 'rejected', status: 404, Rejected: 1 },
    ])
    expect(at.lines.join('')).not.toContain('o-1')
  })
})
