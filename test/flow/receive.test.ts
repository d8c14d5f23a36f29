import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { BodyStore, EventClaims, EventMoves, Queue } from '../../functions/domain/ports.ts'
import { RIG_NAMES } from '../support/memory-rig.ts'
import { problemType } from '../support/problem-type.ts'
import { GITHUB_SECRET, receiveRig, STRIPE_SECRET, stripeHeader } from '../support/receive-rig.ts'

const event = (id = 'evt_1', more: object = {}) => ({ id, type: 'invoice.paid', ...more })

describe('a new event', () => {
  it('a new event is queued, settled and answered with 202 and its fingerprint', async () => {
    const at = receiveRig()
    const answer = await at.stripe(event())
    expect(answer.status).toBe(202)
    expect(answer.body).toEqual({ status: 'accepted', id: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(at.messages()).toHaveLength(1)
    expect([...at.records.values()]).toMatchObject([
      { status: 'queued', eventId: 'evt_1', type: 'invoice.paid', source: 'stripe', generation: 0, attempts: 0 },
    ])
  })

  it('a new event costs one claim, one send, one settle and one kept body', async () => {
    const at = receiveRig()
    await at.stripe(event())
    expect(at.calls).toEqual({ claim: 1, send: 1, keep: 1, settle: 1 })
  })

  it('a new event whose source retains nothing costs no body write', async () => {
    const at = receiveRig({ sources: { stripe: { provider: 'stripe', retain: 'none' } } })
    await at.stripe(event())
    expect(at.calls).toEqual({ claim: 1, send: 1, settle: 1 })
    expect([...at.records.values()][0]?.bodyAt).toBeNull()
  })

  it('a new event carries its exact bytes, identity, correlation id and lifetime in the message', async () => {
    const at = receiveRig()
    const raw = '{ "id":"evt_1",  "type":"invoice.paid", "note":"caf\u00e9 \u{1f600}" }'
    const answer = await at.stripe({}, { raw })
    const [message] = at.messages()
    expect(message).toMatchObject({
      version: 1,
      id: answer.body.id,
      source: 'stripe',
      provider: 'stripe',
      eventId: 'evt_1',
      type: 'invoice.paid',
      generation: 0,
      receivedAt: '2026-11-15T12:00:00.000Z',
      expiresAt: Date.UTC(2026, 11, 16, 12) / 1000,
      correlationId: answer.headers['x-correlation-id'],
    })
    expect(message?.body.encoding === 'base64' && Buffer.from(message.body.data, 'base64').toString()).toBe(raw)
  })
})

describe('a repeated event', () => {
  it('an event sent five times gives five 2xx answers and one message, and with a changed id it is processed as new', async () => {
    const at = receiveRig()
    const answers = []
    for (let attempt = 0; attempt < 5; attempt++) answers.push(await at.stripe(event()))
    expect(answers.map(({ status }) => status)).toEqual([202, 200, 200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    expect((await at.stripe(event('evt_2'))).status).toBe(202)
    expect(at.messages().map(({ eventId }) => eventId)).toEqual(['evt_1', 'evt_2'])
  })

  it('a repeated event costs exactly one store call and changes nothing', async () => {
    const at = receiveRig()
    await at.stripe(event())
    const before = structuredClone([...at.records.values()])
    for (const name of Object.keys(at.calls)) delete at.calls[name]
    at.advance(60_000)
    expect((await at.stripe(event())).body.status).toBe('duplicate')
    expect(at.calls).toEqual({ claim: 1 })
    expect([...at.records.values()]).toEqual(before)
  })

  it('a repeated event with a fresh signature timestamp is still the same event', async () => {
    const at = receiveRig()
    await at.stripe(event())
    at.advance(3 * 86_400_000)
    expect((await at.stripe(event())).status).toBe(200)
  })

  it('a repeated event with another body is a duplicate, counted as changed', async () => {
    const at = receiveRig()
    await at.stripe(event('evt_1', { pending_webhooks: 2 }))
    expect((await at.stripe(event('evt_1', { pending_webhooks: 1 }))).status).toBe(200)
    expect(JSON.parse(at.lines[1] ?? '')).toMatchObject({ outcome: 'duplicate', Duplicate: 1, BodyChanged: 1 })
  })

  it('a repeated event after the replay window is processed again', async () => {
    const at = receiveRig()
    await at.stripe(event())
    at.advance(31 * 86_400_000 + 1_000)
    expect((await at.stripe(event())).status).toBe(202)
    expect(at.messages()).toHaveLength(2)
  })

  it('an event sent fifty times at the same instant gives one 202, the rest 200 or 409, and one message', async () => {
    const at = receiveRig()
    const answers = await Promise.all(Array.from({ length: 50 }, () => at.stripe(event())))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter(status => status === 202)).toHaveLength(1)
    expect(statuses.filter(status => status === 200 || status === 409)).toHaveLength(49)
    expect(at.messages()).toHaveLength(1)
  })

  it('an event sent to two sources is two events', async () => {
    const at = receiveRig({
      sources: { stripe: { provider: 'stripe' }, 'stripe-eu': { provider: 'stripe' } },
      secrets: { stripe: [STRIPE_SECRET], 'stripe-eu': [STRIPE_SECRET] },
    })
    const body = JSON.stringify(event())
    const headers = { 'stripe-signature': stripeHeader(body, STRIPE_SECRET, at.world.now()) }
    expect((await at.post({ source: 'stripe', body, headers })).status).toBe(202)
    expect((await at.post({ source: 'stripe-eu', body, headers })).status).toBe(202)
  })

  it('an event sent in two environments is two events', async () => {
    const ids = await Promise.all(
      ['staging', 'production'].map(
        async environment => (await receiveRig({ world: { environment } }).stripe(event())).body.id,
      ),
    )
    expect(new Set(ids).size).toBe(2)
  })
})

describe('an owner that dies', () => {
  const neverAnswers = () => new Promise<never>(() => {})

  it('an owner that dies after its claim holds the event until its lease passes, and then the next delivery forwards it', async () => {
    let dead = true
    const at = receiveRig()
    const send: Queue['send'] = (...message) => (dead ? neverAnswers() : at.world.queue.send(...message))
    const dying = receiveRig({ world: { ...at.world, queue: { ...at.world.queue, send } } })
    void dying.stripe(event())
    await new Promise(setImmediate)

    dead = false
    const soon = await at.stripe(event())
    expect(soon.status).toBe(409)
    expect(soon.body).toMatchObject({ type: problemType('processing'), status: 409, state: 'processing' })
    expect(soon.headers['retry-after']).toBe('15')

    at.advance(15_000)
    expect((await at.stripe(event())).status).toBe(202)
    expect(at.messages()).toHaveLength(1)
    expect([...at.records.values()]).toMatchObject([{ status: 'queued', attempts: 0 }])
    expect((await at.stripe(event())).status).toBe(200)
  })

  it('an owner that wakes after its lease sends nothing and answers 503', async () => {
    const at = receiveRig()
    const slowClaim: EventClaims['claim'] = async (...claim) => {
      const answer = await at.world.claims.claim(...claim)
      at.advance(20_000)
      return answer
    }
    const sleepy = receiveRig({ world: { ...at.world, claims: { ...at.world.claims, claim: slowClaim } } })
    expect((await sleepy.stripe(event(), { at: at.world.now() })).status).toBe(503)
    expect(at.messages()).toHaveLength(0)
    expect((await at.stripe(event())).status).toBe(202)
  })
})

describe('a world that fails', () => {
  it('a queue that certainly refused releases the claim, and the very next delivery takes over', async () => {
    const at = receiveRig()
    const send: Queue['send'] = async () => ({ kind: 'refused', cause: 'AccessDenied: no' })
    const broken = receiveRig({ world: { ...at.world, queue: { ...at.world.queue, send } } })
    const answer = await broken.stripe(event())
    expect(answer.status).toBe(503)
    expect(answer.body.type).toBe(problemType('unavailable'))
    expect((await at.stripe(event())).status).toBe(202)
  })

  it('a queue whose outcome nobody knows releases no claim', async () => {
    const at = receiveRig()
    const send: Queue['send'] = async () => ({ kind: 'unavailable', cause: 'TimeoutError: slow' })
    const broken = receiveRig({ world: { ...at.world, queue: { ...at.world.queue, send } } })
    expect((await broken.stripe(event())).status).toBe(503)
    expect((await at.stripe(event())).status).toBe(409)
  })

  it('a delivery is still a 202 if settling fails after a confirmed send', async () => {
    const at = receiveRig()
    const settle: EventMoves['settle'] = async () => ({ kind: 'unavailable', cause: 'x' })
    const broken = receiveRig({ world: { ...at.world, events: { ...at.world.events, settle } } })
    expect((await broken.stripe(event())).status).toBe(202)
  })

  it('a delivery is a 202 that says so if its body cannot be kept after a confirmed send', async () => {
    const at = receiveRig({
      world: {
        bodies: {
          keep: async () => ({ kind: 'unavailable', cause: 'x' }),
          discard: async () => ({ kind: 'discarded' }),
        },
      },
    })
    expect((await at.stripe(event())).status).toBe(202)
    expect(JSON.parse(at.lines[0] ?? '')).toMatchObject({ BodyNotKept: 1 })
    expect([...at.records.values()][0]?.bodyAt).toBeNull()
  })

  it.each([
    ['the events store', { claim: async () => ({ kind: 'unavailable', cause: 'x' }) }],
    [
      'the events store, in a way nobody foresaw',
      {
        claim: async () => {
          throw new TypeError('canary')
        },
      },
    ],
  ])('a failure in %s is a 503 with Retry-After, and nothing is queued', async (_name, broken) => {
    const at = receiveRig()
    const other = receiveRig({ world: { ...at.world, claims: { ...at.world.claims, ...broken } as EventClaims } })
    const answer = await other.stripe(event())
    expect(answer.status).toBe(503)
    expect(answer.headers['retry-after']).toBeDefined()
    expect(JSON.stringify(answer)).not.toContain('canary')
    expect(at.messages()).toHaveLength(0)
  })
})

describe('an event that failed for good', () => {
  const failed = async (resend: 'reopen' | 'ignore') => {
    const at = receiveRig({ sources: { stripe: { provider: 'stripe', resend } } })
    await at.stripe(event())
    for (const record of at.records.values()) at.records.set({ ...record, status: 'failed' })
    return at
  }

  it('an event that failed for good is reopened as a new generation by its sender', async () => {
    const at = await failed('reopen')
    expect((await at.stripe(event())).status).toBe(202)
    expect(at.messages().map(({ generation }) => generation)).toEqual([0, 1])
    expect([...at.records.values()]).toMatchObject([{ status: 'queued', generation: 1 }])
  })

  it('an event that failed for good stays a duplicate if the source says so', async () => {
    const at = await failed('ignore')
    expect((await at.stripe(event())).status).toBe(200)
    expect(at.messages()).toHaveLength(1)
  })
})

describe('a sender that never retries', () => {
  const github = (body: string, delivery: string) => ({
    source: 'github',
    body,
    headers: {
      'content-type': 'application/json',
      'x-github-event': 'push',
      'x-github-delivery': delivery,
      'x-hub-signature-256': `sha256=${createHmac('sha256', GITHUB_SECRET).update(body).digest('hex')}`,
    },
  })

  it('the body of a sender that never retries is stored before the claim, and the claim points to it', async () => {
    const at = receiveRig()
    const order: string[] = []
    const keep: BodyStore['keep'] = (...kept) => {
      order.push('keep')
      return at.world.bodies.keep(...kept)
    }
    const claim: EventClaims['claim'] = record => {
      order.push(`claim ${record.bodyAt}`)
      return at.world.claims.claim(record)
    }
    const { bodies, claims } = at.world
    const watched = receiveRig({ world: { ...at.world, bodies: { ...bodies, keep }, claims: { ...claims, claim } } })
    expect((await watched.post(github('{}', 'd-1'))).status).toBe(202)
    expect(order).toEqual(['keep', 'claim dynamodb'])
  })

  it('a large delivery that is repeated all day is one object, and one more on the next day', async () => {
    const at = receiveRig()
    const noise = randomBytes(30_000).toString('hex')
    const repeated = async () => {
      at.advance(60_000)
      return (await at.post(github(JSON.stringify({ noise }), 'd-1'))).status
    }
    const objects = async () => (await at.memory.aws.objects.list(RIG_NAMES.bodiesBucket, '')).length
    expect(await repeated()).toBe(202)
    for (let times = 0; times < 20; times += 1) expect(await repeated()).toBe(200)
    expect(await objects()).toBe(1)
    at.advance(86_400_000)
    for (let times = 0; times < 20; times += 1) expect(await repeated()).toBe(200)
    expect(await objects()).toBe(2)
  })

  it('a sender that never retries is told 503, not accepted, if its body cannot be stored', async () => {
    const at = receiveRig({
      world: {
        bodies: {
          keep: async () => ({ kind: 'unavailable', cause: 'x' }),
          discard: async () => ({ kind: 'discarded' }),
        },
      },
    })
    expect((await at.post(github('{}', 'd-1'))).status).toBe(503)
    expect(at.records.size).toBe(0)
  })

  it('under a guard, a captured body with a fresh id is a duplicate of the first', async () => {
    const at = receiveRig({ sources: { github: { provider: 'github', guard: 'body' } } })
    const first = await at.post(github('{"a":1}', 'd-1'))
    const again = await at.post(github('{"a":1}', 'd-2'))
    expect([first.status, again.status]).toEqual([202, 200])
    expect(again.body.id).toBe(first.body.id)
    expect(at.messages()).toHaveLength(1)
  })
})

describe('a large body', () => {
  it('a large body travels by pointer, and is kept before the message is sent', async () => {
    const at = receiveRig()
    const noise = Array.from({ length: 40_000 }, (_, index) =>
      createHmac('sha256', 'n').update(String(index)).digest('hex'),
    ).join('')
    expect((await at.stripe(event('evt_big', { noise }))).status).toBe(202)
    const [message] = at.messages()
    expect(message?.body).toMatchObject({ encoding: 'pointer', at: 's3:30d:2026-11-15' })
    expect(at.calls).toEqual({ claim: 1, keep: 1, send: 1, settle: 1 })
  })
})

describe('a sender that proves who it is, and not what it says', () => {
  it('a sender that proves who it is, and not what it says, is named as such in the record and to the handler', async () => {
    const at = receiveRig({ sources: { gitlab: { provider: 'gitlab' } }, secrets: { gitlab: ['token-0123456789'] } })
    const headers = { 'x-gitlab-token': 'token-0123456789', 'idempotency-key': 'k-1', 'x-gitlab-event': 'Push Hook' }
    expect((await at.post({ source: 'gitlab', body: '{}', headers })).status).toBe(202)
    expect([...at.records.values()]).toMatchObject([{ bodySigned: false }])
    expect(at.messages()).toMatchObject([{ bodySigned: false }])
  })

  it('a sender that signs its body is not named as one that does not', async () => {
    const at = receiveRig()
    await at.stripe(event())
    expect([...at.records.values()]).toMatchObject([{ bodySigned: true }])
  })
})
