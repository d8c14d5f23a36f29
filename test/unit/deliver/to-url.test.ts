import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { destinationSecret } from '../../../functions/adapters/destination-secret.ts'
import { toUrl } from '../../../functions/deliver/to-url.ts'
import { TryLater, Unprocessable } from '../../../functions/domain/event.ts'
import type { PostAnswer, PostRequest } from '../../../functions/domain/handing-over.ts'
import { Secret } from '../../../functions/domain/secret.ts'
import { NOON } from '../../support/events.ts'
import { eventWith, TOOLS } from './rig.ts'

// As Secrets Manager generates it: 44 letters and digits, which is base64 of 33 bytes.
const SECRET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQR'
const CHANGED = SECRET.toUpperCase()
const TARGET = { url: 'https://legacy.example.com/hooks', timeoutSeconds: 15, privateAddresses: false, secret: 'arn' }

const posting = async (answer: Partial<PostAnswer>, event = eventWith('{"a":1}'), secret = SECRET, at = Date.now()) => {
  const posted: PostRequest[] = []
  const post = async (request: PostRequest): Promise<PostAnswer> => {
    posted.push(request)
    return { status: 200, retryAfter: undefined, ...answer }
  }
  const handler = toUrl({ now: () => at as typeof NOON, secret: async () => new Secret(secret), post }, TARGET)
  let error: unknown
  try {
    await handler(event as never, TOOLS)
  } catch (thrown) {
    error = thrown
  }
  return { request: posted[0], error }
}

describe('an event that is posted to a service', () => {
  it.each([SECRET, `whsec_${SECRET}`])(
    'the library of Standard Webhooks believes what was signed with %s',
    async secret => {
      const { request, error } = await posting({}, undefined, secret)
      expect(error).toBeUndefined()
      const { headers = {}, body = Buffer.of() } = request ?? {}
      expect(new Webhook(SECRET).verify(Buffer.from(body).toString(), { ...headers })).toEqual({ a: 1 })
      expect(headers['webhook-id']).toBe(eventWith('').idempotencyKey)
      expect(() => new Webhook(SECRET).verify('{"a":2}', { ...headers })).toThrow()
    },
  )

  it('a service learns source, id and type of the event, whatever characters they have', async () => {
    const event = eventWith('x', { eventId: 'é\r\nx: 1', type: null, headers: { 'content-type': 'text/plain\u0000' } })
    const { request } = await posting({}, event)
    expect(request?.headers).toMatchObject({
      'hooklatch-source': 'stripe',
      'hooklatch-event-id': '%C3%A9%0D%0Ax:%201',
      'content-type': 'application/octet-stream',
    })
    expect(request?.headers).not.toHaveProperty('hooklatch-event-type')
  })

  it.each([200, 201, 204, 299])('the answer %i means that the service has it', async status => {
    expect((await posting({ status })).error).toBeUndefined()
  })

  it.each([400, 401, 403, 404, 409, 410, 413, 422])('the answer %i fails the event at once', async status => {
    expect((await posting({ status })).error).toBeInstanceOf(Unprocessable)
  })

  it.each([400, 401, 403])('the answer %i fails no event if the secret was changed a moment ago', async status => {
    let stored = SECRET
    const calls = { getSecret: async () => ({ text: stored, version: '1', createdAt: null }) }
    const secret = destinationSecret({ secrets: calls }, 'arn', () => NOON)
    await secret()
    stored = CHANGED
    const posted: PostRequest[] = []
    const post = async (request: PostRequest): Promise<PostAnswer> => {
      posted.push(request)
      return { status: posted.length === 1 ? status : 200, retryAfter: undefined }
    }
    await toUrl({ now: () => Date.now() as typeof NOON, secret, post }, TARGET)(eventWith('{"a":1}') as never, TOOLS)
    const [, { headers = {}, body = Buffer.of() } = {}] = posted
    expect(new Webhook(CHANGED).verify(Buffer.from(body).toString(), { ...headers })).toEqual({ a: 1 })
  })

  it.each([301, 302, 307, 408, 425, 429, 500, 502, 503, 504])(
    'after the answer %i the event is tried again',
    async status => {
      const { error } = await posting({ status })
      expect(error).toBeInstanceOf(Error)
      expect(error).not.toBeInstanceOf(Unprocessable)
      expect(error).not.toBeInstanceOf(TryLater)
    },
  )

  it.each([
    ['120', 120],
    ['Sun, 15 Nov 2026 12:05:00 GMT', 300],
    ['Sun, 15 Nov 2026 11:00:00 GMT', 0],
  ])('a service that says Retry-After %s is left alone for that long', async (retryAfter, seconds) => {
    const { error } = await posting({ status: 503, retryAfter }, undefined, SECRET, NOON)
    expect(error).toBeInstanceOf(TryLater)
    expect(error).toMatchObject({ seconds })
  })

  it('a Retry-After that says nothing is ignored', async () => {
    expect((await posting({ status: 429, retryAfter: 'soon' })).error).not.toBeInstanceOf(TryLater)
  })

  it.each(['short', 'not base64 !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!'])(
    'the secret %s is refused and nothing is sent',
    async secret => {
      const { request, error } = await posting({}, undefined, secret)
      expect(request).toBeUndefined()
      expect(String(error)).toContain('not base64 of at least 24 bytes')
      expect(String(error)).not.toContain(secret)
    },
  )
})
