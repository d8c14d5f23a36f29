import middy from '@middy/core'
import type { Context } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import { callerOf, type GatewayEvent } from '../../functions/adapters/api-gateway.ts'
import { callerByAuthorizer } from '../../functions/adapters/authorizer-callers.ts'
import { millis } from '../../functions/domain/brands.ts'
import { type Idempotency, idempotent } from '../../functions/idempotent/idempotent.ts'
import { NOON } from '../support/events.ts'
import { type Answered, askEvent, idempotentRig } from '../support/idempotent-rig.ts'
import { memoryRig } from '../support/memory-rig.ts'
import { problemType } from '../support/problem-type.ts'

const down = { kind: 'unavailable', cause: 'down' } as const
const problemOf = ({ body }: { body: string }) => JSON.parse(body)

describe('the cases of the IETF draft, in any function', () => {
  it('a first request runs the handler and is told until when its key is remembered', async () => {
    const at = idempotentRig()
    expect(await at.ask()).toEqual({
      statusCode: 201,
      headers: {
        'Content-Type': 'application/json',
        Location: '/orders/1',
        'x-other': 'y',
        'idempotency-key-expires': 'Mon, 16 Nov 2026 12:00:00 GMT',
      },
      body: '{"run":1}',
    })
    expect(at.runs).toEqual([{ key: 'key-1', downstreamKey: expect.stringMatching(/^[0-9a-f]{64}$/), tookOver: false }])
  })

  it('a retry after completion gets the stored answer with its chosen headers, and the handler does not run', async () => {
    const at = idempotentRig()
    await at.ask()
    at.advance(3_600_000)
    expect(await at.ask()).toEqual({
      statusCode: 201,
      headers: {
        'content-type': 'application/json',
        location: '/orders/1',
        'idempotent-replayed': 'true',
        'idempotency-key-expires': 'Mon, 16 Nov 2026 12:00:00 GMT',
      },
      body: '{"run":1}',
    })
    expect(at.runs).toHaveLength(1)
  })

  it('an error of the handler is replayed like a success', async () => {
    const at = idempotentRig({ handle: () => ({ statusCode: 402, body: 'no money' }) })
    await at.ask()
    expect(await at.ask()).toMatchObject({
      statusCode: 402,
      body: 'no money',
      headers: { 'idempotent-replayed': 'true' },
    })
    expect(at.runs).toHaveLength(1)
  })

  it('a retry while the first is running is a 409 that says when to come again', async () => {
    const held = Promise.withResolvers<void>()
    const at = idempotentRig({ handle: () => held.promise.then(() => ({ statusCode: 200 })) })
    const first = at.ask()
    const second = await at.ask()
    expect(second).toMatchObject({
      statusCode: 409,
      headers: { 'retry-after': '5', 'content-type': 'application/problem+json' },
    })
    expect(problemOf(second)).toMatchObject({ type: problemType('running'), status: 409 })
    held.resolve()
    expect((await first).statusCode).toBe(200)
    expect(at.runs).toHaveLength(1)
  })

  it('a key that comes again with another payload is a 422', async () => {
    const at = idempotentRig()
    await at.ask()
    const other = await at.ask({ body: '{"amount":2}' })
    expect([other.statusCode, problemOf(other).type]).toEqual([422, problemType('key-reused')])
    expect((await at.ask()).body).toBe('{"run":1}')
    expect(at.runs).toHaveLength(1)
  })

  it('a request without a key is a 400 if one is required, with a link to the documentation', async () => {
    const at = idempotentRig({ documentation: 'https://example.com/docs/keys' })
    const answer = await at.ask({ key: null })
    expect(answer).toMatchObject({
      statusCode: 400,
      headers: { link: '<https://example.com/docs/keys>; rel="describedby"' },
    })
    expect(problemOf(answer)).toMatchObject({
      type: problemType('key-missing'),
      documentation: 'https://example.com/docs/keys',
    })
    expect(at.runs).toHaveLength(0)
  })

  it('a request without a key runs if none is required', async () => {
    const at = idempotentRig({ required: false })
    await at.ask({ key: null })
    expect((await at.ask({ key: null })).headers).not.toHaveProperty('idempotency-key-expires')
    expect(at.runs).toEqual([undefined, undefined])
  })

  it('an expired key is a new one', async () => {
    const at = idempotentRig({ ttl: '1h' })
    await at.ask()
    at.advance(3_600_000)
    expect((await at.ask({ body: '{"amount":2}' })).body).toBe('{"run":2}')
  })
})

describe('whose key it is', () => {
  it.each([
    ['two callers', { caller: 'AIDABOB' }],
    ['two paths', { path: '/refunds' }],
    ['two things of one route', { path: '/orders/2' }],
    ['two methods', { method: 'PATCH' }],
  ])('requests of %s with one key are independent', async (_, other) => {
    const at = idempotentRig()
    await at.ask()
    expect((await at.ask(other)).body).toBe('{"run":2}')
  })

  it('two sessions of one role are one caller', async () => {
    const at = idempotentRig()
    await at.ask({ caller: 'AROAROLE:i-1' })
    expect((await at.ask({ caller: 'AROAROLE:i-2' })).headers).toHaveProperty('idempotent-replayed')
  })

  it('a caller that no authorizer knows is refused, whatever headers it sends', async () => {
    const at = idempotentRig()
    const answer = await at.ask({ caller: null })
    expect([answer.statusCode, problemOf(answer).type]).toEqual([403, problemType('caller-unknown')])
    expect(at.runs).toHaveLength(0)
  })

  const nobody = { identity: {} }
  it.each([
    ['iam', '2.0', { authorizer: { iam: { userId: 'AIDA1' } } }, { authorizer: { iam: { userId: 'AIDA2' } } }],
    [
      'the subject of a JWT, which is unique for its issuer',
      '2.0',
      { authorizer: { jwt: { claims: { iss: 'a', sub: '1' } } } },
      { authorizer: { jwt: { claims: { iss: 'b', sub: '1' } } } },
    ],
    [
      'the subject of a user pool',
      '1.0',
      { ...nobody, authorizer: { claims: { sub: '1' } } },
      { ...nobody, authorizer: { claims: { sub: '2' } } },
    ],
    ['the id of an API key', '1.0', { identity: { apiKeyId: 'k1' } }, { identity: { apiKeyId: 'k2' } }],
  ])('two callers are told apart by what the authorizer says: %s', (_, version, alice, bob) => {
    const [first, second] = [alice, bob].map(requestContext =>
      callerByAuthorizer({ version, requestContext } as unknown as GatewayEvent),
    )
    expect(first).toBeDefined()
    expect(second).toBeDefined()
    expect(first).not.toBe(second)
  })

  it('every visitor of an identity pool is a caller of their own, though they share a role', () => {
    const visitor = (identityId: string) =>
      ({
        version: '2.0',
        requestContext: {
          authorizer: { iam: { userId: 'AROAPOOL:CognitoIdentityCredentials', cognitoIdentity: { identityId } } },
        },
      }) as unknown as GatewayEvent
    expect([callerOf(visitor('eu:1'))?.id, callerOf(visitor('eu:2'))?.id]).toEqual(['eu:1', 'eu:2'])
  })
})

describe('what was asked', () => {
  const spaced = { body: '{ "b": 2, "a": 1 }' }
  const tight = { body: '{"a":1,"b":2}' }

  it('a payload with other white space and key order is another payload if the bytes count', async () => {
    const at = idempotentRig()
    await at.ask(spaced)
    expect((await at.ask(tight)).statusCode).toBe(422)
  })

  it('a payload with other white space and key order is the same payload if canonical JSON was asked for', async () => {
    const at = idempotentRig({ payload: 'canonical' })
    await at.ask(spaced)
    expect((await at.ask(tight)).headers).toHaveProperty('idempotent-replayed')
    expect((await at.ask({ body: '{"a":1,"b":3}' })).statusCode).toBe(422)
    expect((await at.ask({ body: 'no JSON' })).statusCode).toBe(422)
  })

  it.each(['v1', 'v2'] as const)('a request with another query is another request (%s)', async format => {
    const at = idempotentRig()
    await at.ask({ format, query: 'dry=1' })
    expect((await at.ask({ format, query: 'dry=0' })).statusCode).toBe(422)
  })

  it('a request is the same in both payload formats of API Gateway', async () => {
    const at = idempotentRig()
    await at.ask({ format: 'v2' })
    expect((await at.ask({ format: 'v1' })).headers).toHaveProperty('idempotent-replayed')
  })

  it('a request differs with every character of its query', async () => {
    const at = idempotentRig()
    await at.ask({ query: 'next=/a?b=1' })
    expect((await at.ask({ query: 'next=/a?b=2' })).statusCode).toBe(422)
  })

  it('a GET needs no key and is not remembered', async () => {
    const at = idempotentRig()
    expect((await at.ask({ method: 'GET', key: null })).statusCode).toBe(201)
    expect(at.runs).toEqual([undefined])
  })
})

describe('a handler that fails', () => {
  it.each([
    ['answers 5xx', () => ({ statusCode: 502, body: 'upstream' })],
    ['throws', () => Promise.reject(new Error('boom'))],
  ])(
    'a handler that %s gives the key back: the next try runs, and knows that there was one before it',
    async (_, fail) => {
      let tries = 0
      const at = idempotentRig({ handle: () => (tries++ === 0 ? fail() : { statusCode: 200, body: 'ok' }) })
      await at.ask().catch(() => {})
      expect((await at.ask({ body: '{"amount":2}' })).statusCode).toBe(422)
      expect((await at.ask()).body).toBe('ok')
      expect(at.runs.map(run => run?.tookOver)).toEqual([false, true])
    },
  )

  it('a failure that the owner of the handler wants kept is replayed', async () => {
    const at = idempotentRig({ stores: () => true, handle: () => ({ statusCode: 500, body: 'kept' }) })
    await at.ask()
    expect(await at.ask()).toMatchObject({ statusCode: 500, body: 'kept', headers: { 'idempotent-replayed': 'true' } })
  })

  it('an outcome that the owner of the handler does not want kept is not replayed: the handler runs again', async () => {
    const at = idempotentRig({ stores: ({ status }) => status < 400, handle: () => ({ statusCode: 429 }) })
    await at.ask()
    await at.ask()
    expect(at.runs).toHaveLength(2)
  })
})

describe('a handler that outlives its lease', () => {
  const overrun = async (theirs: 'running' | 'finished') => {
    const held = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    let run = 0
    const at = idempotentRig({
      handle: async () => {
        const mine = ++run
        if (mine === 1) await held.promise
        if (mine === 2 && theirs === 'running') await second.promise
        return { statusCode: 200, body: `run ${mine}` }
      },
    })
    const zombie = at.ask()
    await new Promise(setImmediate)
    at.advance(15_000)
    const successor = at.ask()
    if (theirs === 'finished') await successor
    held.resolve()
    const answered = await zombie
    second.resolve()
    return { at, answered, successor: await successor }
  }

  it.each(['running', 'finished'] as const)(
    'a handler that outlives its lease cannot overwrite its successor that is %s, and its caller is told to ask again',
    async theirs => {
      const { at, answered, successor } = await overrun(theirs)
      expect([answered.statusCode, problemOf(answered).type]).toEqual([409, problemType('running')])
      expect(at.notes).toEqual([{ kind: 'superseded' }])
      expect(successor.body).toBe('run 2')
      expect((await at.ask()).body).toBe('run 2')
      expect(at.runs.map(each => each?.tookOver)).toEqual([false, true])
    },
  )

  it('a lease lasts as long as Lambda has left and five seconds more for clocks that differ, even if no time is left', async () => {
    const hangs = () => new Promise(() => {})
    const at = idempotentRig({ handle: hangs, remaining: () => 0 })
    void at.ask()
    await new Promise(setImmediate)
    at.advance(4_999)
    expect((await at.ask()).statusCode).toBe(409)
    at.advance(1)
    expect((await at.ask({ body: '{"amount":2}' })).statusCode).toBe(422)
    void at.ask()
    await new Promise(setImmediate)
    expect(at.runs).toHaveLength(2)
  })
})

describe('an answer that is remembered for less than a handler may take', () => {
  it('a lease outlives an answer that is remembered for less time than the handler takes', async () => {
    const held = Promise.withResolvers<void>()
    const at = idempotentRig({
      ttl: '1s',
      handle: async () => {
        await held.promise
        return { statusCode: 200, body: 'first' }
      },
    })
    const first = at.ask()
    await Promise.resolve()
    at.advance(14_000)
    expect((await at.ask()).statusCode).toBe(409)
    held.resolve()
    expect((await first).body).toBe('first')
    at.advance(999)
    expect((await at.ask()).body).toBe('first')
    at.advance(1_001)
    await at.ask()
    expect(at.runs).toHaveLength(2)
  })
})

describe('a store that does not answer', () => {
  const { answers } = memoryRig().stores

  it('a request is a 503 by default if the store does not answer, and the handler does not run', async () => {
    const at = idempotentRig({ store: { ...answers, claim: async () => down } })
    const answer = await at.ask()
    expect(answer).toMatchObject({ statusCode: 503, headers: { 'retry-after': '15' } })
    expect(at.runs).toHaveLength(0)
  })

  it('the handler runs although the store does not answer if that was asked for, and a note says so', async () => {
    const at = idempotentRig({ store: { ...answers, claim: async () => down }, whenStoreFails: 'run' })
    expect((await at.ask()).statusCode).toBe(201)
    expect(at.notes).toEqual([{ kind: 'unguarded', cause: 'down' }])
  })

  it('a store that fails after the handler has run leaves its answer as it is, and a note says that it is not kept', async () => {
    const at = idempotentRig({ store: { ...answers, complete: async () => down } })
    const answer = await at.ask()
    expect(answer.statusCode).toBe(201)
    expect(answer.headers).not.toHaveProperty('idempotency-key-expires')
    expect(at.notes).toEqual([{ kind: 'not-kept', cause: 'down' }])
    expect((await at.ask()).statusCode).toBe(409)
  })
})

describe('answers', () => {
  const long = 'x'.repeat(1_000_000)
  const bodyStore = () => {
    const { bodies, keptBodies } = memoryRig().stores
    return { ...bodies, ...keptBodies }
  }

  it('answers over 4 KB go to the body store and come back whole', async () => {
    const bodies = bodyStore()
    const at = idempotentRig({ bodies, handle: () => ({ statusCode: 200, body: long }) })
    await at.ask()
    expect(await at.ask()).toMatchObject({ body: long, headers: { 'idempotent-replayed': 'true' } })
    expect(at.runs).toHaveLength(1)
  })

  it('an answer that the body store does not take is given once, and the handler does not run again', async () => {
    const bodies = { ...bodyStore(), keep: async () => down }
    const at = idempotentRig({ bodies, handle: () => ({ statusCode: 200, body: long }) })
    expect((await at.ask()).body).toBe(long)
    expect(at.notes).toEqual([{ kind: 'not-kept', cause: 'down' }])
    at.advance(3_600_000)
    const again = await at.ask()
    expect([again.statusCode, problemOf(again).type]).toEqual([410, problemType('answer-gone')])
    expect(at.runs).toHaveLength(1)
  })

  it('an answer too large to be kept is given once, and later requests are told that it was carried out', async () => {
    const at = idempotentRig({ handle: () => ({ statusCode: 200, body: long }) })
    expect((await at.ask()).body).toBe(long)
    const again = await at.ask()
    expect([again.statusCode, problemOf(again).type]).toEqual([410, problemType('answer-gone')])
    expect(at.runs).toHaveLength(1)
  })

  it('an answer of bytes stays bytes', async () => {
    const at = idempotentRig({ handle: () => ({ statusCode: 200, body: 'AP8=', isBase64Encoded: true }) })
    await at.ask()
    expect(await at.ask()).toMatchObject({ body: 'AP8=', isBase64Encoded: true })
  })

  it('a stored answer has no cookie if nobody asked for that header', async () => {
    const at = idempotentRig({
      handle: () => ({ statusCode: 200, headers: { 'Set-Cookie': 's=1' }, cookies: ['a=b'], body: '' }),
    })
    expect(await at.ask()).toMatchObject({ headers: { 'Set-Cookie': 's=1' }, cookies: ['a=b'] })
    const again = await at.ask()
    expect(JSON.stringify(again)).not.toMatch(/s=1|a=b/)
  })

  const again = async (at: ReturnType<typeof idempotentRig>): Promise<Answered> => {
    expect((await at.ask()).statusCode).toBe(201)
    at.advance(60_000)
    const answer = await at.ask()
    expect(at.runs).toHaveLength(1)
    return answer
  }

  it.each([
    ['no headers', { headers: null }, {}],
    ['no headers of many values', { headers: { etag: 'a' }, multiValueHeaders: null }, { etag: 'a' }],
    ['a header without a value', { headers: { etag: null, location: undefined } }, {}],
    ['one value where there could be many', { multiValueHeaders: { etag: 'a', location: null } }, { etag: 'a' }],
    ['a header of many values', { multiValueHeaders: { etag: ['a', 'b'] } }, { etag: 'a, b' }],
  ])('an answer with %s is kept', async (_, said, kept) => {
    const at = idempotentRig({ handle: () => ({ statusCode: 201, body: 'made', ...said }) })
    const expires = 'Mon, 16 Nov 2026 12:00:00 GMT'
    expect(await again(at)).toEqual({
      statusCode: 201,
      body: 'made',
      headers: { ...kept, 'idempotent-replayed': 'true', 'idempotency-key-expires': expires },
    })
  })

  it.each([
    ['whose body is a number', () => ({ statusCode: 201, body: 5 })],
    ['whose body is a list', () => ({ statusCode: 201, body: [1] })],
    ['whose body is a stream', () => ({ statusCode: 201, headers: {}, body: ReadableStream.from(['a', 'b']) })],
    ['with a header that has no text', () => ({ statusCode: 201, headers: { etag: Object.create(null) } })],
  ])('an answer %s is given once, and later requests are told that it was carried out', async (_, handle) => {
    const at = idempotentRig({ handle })
    const answer = await again(at)
    expect([answer.statusCode, problemOf(answer).type]).toEqual([410, problemType('answer-gone')])
    expect(at.notes).toEqual([{ kind: 'not-kept', cause: expect.stringMatching(/body|convert/) }])
  })

  it('an answer that the rule of its owner cannot judge is given once', async () => {
    const stores = () => {
      throw new TypeError('no body')
    }
    expect((await again(idempotentRig({ stores }))).statusCode).toBe(410)
  })

  it('an answer is kept although whoever is told of it throws', async () => {
    const onNote = () => {
      throw new Error('no log')
    }
    const at = idempotentRig({ onNote, handle: () => ({ statusCode: 201, body: 5 }) })
    expect((await again(at)).statusCode).toBe(410)
  })

  it('a failure that cannot be kept gives the key back as any other', async () => {
    const at = idempotentRig({ handle: () => ({ statusCode: 503, body: 5 }) })
    await at.ask()
    await at.ask()
    expect(at.runs).toHaveLength(2)
  })

  it('an answer without a statusCode is a 200 of JSON, as an HTTP API takes it', async () => {
    const at = idempotentRig({ handle: () => ({ id: 7 }) })
    expect(await at.ask()).toMatchObject({
      statusCode: 200,
      body: '{"id":7}',
      headers: { 'content-type': 'application/json' },
    })
    expect(await at.ask()).toMatchObject({
      statusCode: 200,
      body: '{"id":7}',
      headers: { 'idempotent-replayed': 'true' },
    })
  })
})

describe('as a middy middleware', () => {
  const context = { getRemainingTimeInMillis: () => 10_000 } as Context
  const chain = (handle: (run: number, idempotency: Idempotency) => unknown) => {
    let runs = 0
    const handler = middy<GatewayEvent>()
      .use(idempotent({ store: memoryRig().stores.answers, now: () => millis(NOON) }))
      .use({
        onError: request => {
          if (request.error?.name === 'Known') request.response = { statusCode: 404, body: 'known' }
        },
      })
      .handler(
        (_event, inner) =>
          handle(++runs, (inner as unknown as { idempotency: Idempotency }).idempotency) as Promise<unknown>,
      )
    return {
      ask: () => handler(askEvent(), { ...context }) as Promise<{ statusCode: number; body: string; headers: object }>,
      runs: () => runs,
    }
  }

  it('the middy middleware does what the plain form does, and tells the handler its key', async () => {
    const at = chain(async (run, { key }) => ({ statusCode: 201, body: `${key} ${run}` }))
    expect(await at.ask()).toMatchObject({
      statusCode: 201,
      body: 'key-1 1',
      headers: { 'idempotency-key-expires': expect.any(String) },
    })
    expect(await at.ask()).toMatchObject({
      statusCode: 201,
      body: 'key-1 1',
      headers: { 'idempotent-replayed': 'true' },
    })
    expect(at.runs()).toBe(1)
  })

  it('the middy middleware keeps the answer that an error handler makes of an error', async () => {
    const at = chain(async () => {
      throw Object.assign(new Error('x'), { name: 'Known' })
    })
    expect((await at.ask()).statusCode).toBe(404)
    expect(await at.ask()).toMatchObject({ statusCode: 404, body: 'known', headers: { 'idempotent-replayed': 'true' } })
    expect(at.runs()).toBe(1)
  })

  const early = (statusCode: number, timeoutEarlyInMillis = 10) => ({
    timeoutEarlyInMillis,
    timeoutEarlyResponse: () => ({ statusCode, body: 'too late' }),
  })

  it.each([
    ['an error', { timeoutEarlyInMillis: 10 }, {}],
    ['an answer that is not kept', early(504), {}],
    ['an answer that would be kept', early(408), {}],
    ['a success', early(202), {}],
    ['an answer two seconds before the end', early(504, 2_000), { earlyAnswerMillis: 2_000 }],
  ])('the key of a handler that still runs is kept when middy gives up with %s', async (_, config, options) => {
    let runs = 0
    const end = Date.now() + 30 + config.timeoutEarlyInMillis
    const handler = middy<GatewayEvent>(config)
      .use(idempotent({ store: memoryRig().stores.answers, now: () => millis(NOON), ...options }))
      .handler(() => {
        runs++
        return new Promise(() => {})
      })
    const ask = (until: number) =>
      handler(askEvent(), { getRemainingTimeInMillis: () => until - Date.now() } as Context) as Promise<Answered>
    await ask(end).catch(() => {})
    expect((await ask(Date.now() + 10_000)).statusCode).toBe(409)
    expect(runs).toBe(1)
  })

  it('the middy middleware keeps the answer of a handler that ends at the last moment if middy is known not to answer for it', async () => {
    let runs = 0
    const handler = middy<GatewayEvent>()
      .use(idempotent({ store: memoryRig().stores.answers, now: () => millis(NOON), earlyAnswerMillis: 0 }))
      .handler(async () => ({ statusCode: 201, body: `${++runs}` }))
    const ask = () => handler(askEvent(), { getRemainingTimeInMillis: () => 20 } as Context) as Promise<Answered>
    await ask()
    expect(await ask()).toMatchObject({ statusCode: 201, body: '1', headers: { 'idempotent-replayed': 'true' } })
  })

  /** A middleware that answers by itself in one of its places, the first so many times. */
  const cutShort = (place: 'before' | 'after' | 'onError', times: number) => {
    let runs = 0
    let left = times
    const handler = middy<GatewayEvent>()
      .use(idempotent({ store: memoryRig().stores.answers, now: () => millis(NOON) }))
      .use({ [place]: async () => (left-- > 0 ? { statusCode: 403, body: `by ${place}` } : undefined) })
      .handler(async () => {
        runs++
        if (place === 'onError') throw new Error('boom')
        return { statusCode: 201, body: 'by the handler' }
      })
    return { ask: () => handler(askEvent(), { ...context }) as Promise<Answered>, runs: () => runs }
  }

  it('the middy middleware gives the key back when another middleware answers before the handler is asked', async () => {
    const { ask, runs } = cutShort('before', 2)
    for (let time = 0; time < 2; time++) expect(await ask()).toEqual({ statusCode: 403, body: 'by before' })
    expect(await ask()).toMatchObject({ statusCode: 201, body: 'by the handler' })
    expect(runs()).toBe(1)
  })

  it('the middy middleware leaves the key alone if a middleware before it refuses, and keeps the answer to the handler', async () => {
    let busy = true
    let runs = 0
    const handler = middy<GatewayEvent>()
      .before(() => {
        if (busy) throw new Error('slow down')
      })
      .use(idempotent({ store: memoryRig().stores.answers, now: () => millis(NOON) }))
      .onError(request => {
        request.response = { statusCode: 429, body: request.error?.message }
      })
      .handler(async () => {
        runs++
        throw new Error('no money')
      })
    const ask = () => handler(askEvent(), { ...context }) as Promise<Answered>
    expect((await ask()).body).toBe('slow down')
    busy = false
    expect((await ask()).body).toBe('no money')
    expect(await ask()).toMatchObject({ body: 'no money', headers: { 'idempotent-replayed': 'true' } })
    expect(runs).toBe(1)
  })

  it.each(['after', 'onError'] as const)(
    'the middy middleware keeps what another middleware answers in place of the handler that ran (%s)',
    async place => {
      const { ask, runs } = cutShort(place, 1)
      expect(await ask()).toMatchObject({ statusCode: 403, body: `by ${place}` })
      const again = { statusCode: 403, body: `by ${place}`, headers: { 'idempotent-replayed': 'true' } }
      expect(await ask()).toMatchObject(again)
      expect(runs()).toBe(1)
    },
  )

  it('the middy middleware gives the key back if nobody made an answer of an error', async () => {
    const at = chain(async run => {
      if (run === 1) throw new Error('boom')
      return { statusCode: 200, body: 'second' }
    })
    await expect(at.ask()).rejects.toThrow('boom')
    expect((await at.ask()).body).toBe('second')
  })
})
