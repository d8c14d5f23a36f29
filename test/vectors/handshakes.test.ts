import { describe, expect, test } from 'vitest'
import { millis } from '../../functions/domain/brands.ts'
import type { KeyFetcher } from '../../functions/domain/ports.ts'
import { providers } from '../../functions/providers/catalogue.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { exampleSecret } from '../../lib/sender/example-secret.ts'
import { exampleSource } from '../../lib/sender/example-source.ts'
import { sign } from '../../lib/sender/sign.ts'
import { NOON } from '../support/events.ts'
import { type Post, receiveRig } from '../support/receive-rig.ts'
import catalogue from './handshakes.json' with { type: 'json' }

interface Handshaking {
  readonly provider: string
  readonly variant?: string
  readonly secret?: string
  readonly signed: boolean
  readonly request: { method: string; url?: string; headers?: Record<string, string>; body?: string }
  readonly response: { status: number; body?: string; json?: unknown }
}

const all = catalogue.handshakes as unknown as readonly Handshaking[]
const TOPIC = 'arn:aws:sns:us-west-2:123456789012:MyTopic'

/** Verify tokens are of the config, since they are no signing secrets. */
const CONFIG: Readonly<Record<string, Record<string, unknown>>> = {
  meta: { verify_token: 'verify-token-1' },
  whatsapp: { verify_token: 'verify-token-1' },
  strava: { verify_token: 'STRAVA' },
  ebay: { verification_token: 'verification-token-32-chars-long-00' },
  'aws-sns': { topics: [TOPIC] },
  braintree: { public_key: 'integration_public_key' },
}

const PUBLIC_URL: Readonly<Record<string, string>> = { ebay: 'https://hooks.example.com/in/ebay' }

/** A receiver of one provider; `null`: its secret is not there yet. */
const receiver = (provider: string, secret?: string | null, keys?: KeyFetcher) => {
  const row = providers[provider]
  if (row === undefined) throw new Error(`no provider ${provider}`)
  const config = CONFIG[provider]
  const publicUrl = PUBLIC_URL[provider]
  const sources = { acme: { ...exampleSource(row), ...(config && { config }), ...(publicUrl && { publicUrl }) } }
  const source = resolveSources(sources).get('acme')
  if (source === undefined) throw new Error('no source')
  const used = secret ?? exampleSecret(source.scheme)
  const local = receiveRig({
    sources,
    secrets: secret === null ? {} : { acme: [used] },
    ...(keys && { world: { keys } }),
  })
  const ask = async (post: Post) => ({ ...(await local.post({ source: 'acme', ...post })), calls: local.calls })
  const asSigned = (body: string, headers: Record<string, string> = {}) => {
    const url = 'https://hooks.example.com/webhooks/acme'
    const made = sign(source, used, { url, body: Buffer.from(body), headers, now: millis(NOON) })
    return { body: made.body, headers: { ...made.headers } }
  }
  return { local, ask, asSigned }
}

const queryOf = (url = ''): string => url.split('?')[1] ?? ''

/** Tested by themselves below. */
const SEPARATE = ['asana', 'aws-sns', 'xero']

describe('handshakes of the catalogue', () => {
  test.each(all.filter(({ provider }) => !SEPARATE.includes(provider)))(
    'the handshake of $provider ($variant) is answered as it asks, and nothing is stored',
    async ({ provider, secret, signed, request, response }) => {
      const usable = provider in CONFIG ? undefined : secret
      const { ask, asSigned, local } = receiver(provider, usable)
      const { method, url, headers = {}, body = '' } = request
      const sent = signed ? asSigned(body, headers) : { body, headers }
      const answer = await ask({ method, query: queryOf(url), ...sent })
      expect(answer.status).toBe(response.status)
      if (response.json) expect(answer.body).toEqual(response.json)
      else if (response.body !== undefined) expect(answer.body.status).toBe(response.body)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      expect(answer.headers['content-type']).toMatch(/^(?:text\/plain|application\/json)$/)
      expect(local.calls).toEqual({})
    },
  )

  test.each(all.filter(({ signed, provider }) => signed && !['aws-sns', 'xero'].includes(provider)))(
    'the handshake of $provider ($variant) is not answered without its signature',
    async ({ provider, request }) => {
      const answer = await receiver(provider).ask({
        method: 'POST',
        body: request.body ?? '',
        headers: request.headers ?? {},
      })
      expect(answer.status).toBe(401)
    },
  )

  test('Xero gets 401 for a wrong signature, and 200 without a body for a right one', async () => {
    const [{ request } = { request: { body: '' } }] = all.filter(({ provider }) => provider === 'xero')
    const { ask, asSigned } = receiver('xero')
    expect((await ask({ body: request.body ?? '', headers: { 'x-xero-signature': 'wrong' } })).status).toBe(401)
    const right = await ask(asSigned(request.body ?? ''))
    expect([right.status, right.body.status]).toEqual([200, ''])
  })
})

describe('an offered secret', () => {
  const offers: readonly (readonly [string, Post])[] = [
    ['asana', { body: '{}', headers: { 'x-hook-secret': 'b537207f20cbfa02357cf448134da559' } }],
    ['notion', { body: '{"verification_token":"secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl"}' }],
    ['gusto', { body: '{"verification_token":"x","webhook_subscription_uuid":"y"}' }],
  ]

  test.each(offers)(
    'a secret offered by %s is not taken if nobody awaits it, and the sender is told to come again',
    async (provider, post) => {
      const answer = await receiver(provider, null).ask(post)
      expect(answer.status).toBe(503)
      expect(JSON.stringify(answer.body)).not.toMatch(/b537207f|secret_tMrl/)
      expect(answer.headers['x-hook-secret']).toBeUndefined()
    },
  )

  test.each(offers)('a secret offered by %s never takes the place of one that is there', async (provider, post) => {
    expect((await receiver(provider).ask(post)).status).toBe(401)
  })
})

describe('SNS', () => {
  const confirmation = {
    Type: 'SubscriptionConfirmation',
    MessageId: 'm-1',
    TopicArn: TOPIC,
    Message: 'You have chosen to subscribe',
    Token: '2336412f37',
    SubscribeURL: 'https://attacker.example.com/?Action=ConfirmSubscription',
  }
  const fetched: string[] = []
  const keys: KeyFetcher = {
    fetch: async (_, url) => {
      fetched.push(url)
      return { kind: 'fetched', text: '<ConfirmSubscriptionResponse/>' }
    },
  }

  test('a subscription to a topic of ours is confirmed at SNS, not at the URL in the message', async () => {
    const { ask, asSigned } = receiver('aws-sns', undefined, keys)
    expect((await ask(asSigned(JSON.stringify(confirmation)))).status).toBe(200)
    expect(fetched).toEqual([
      `https://sns.us-west-2.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${encodeURIComponent(TOPIC)}&Token=2336412f37`,
    ])
  })

  test.each([
    ['a topic of somebody else', { TopicArn: 'arn:aws:sns:us-west-2:999999999999:MyTopic' }, 401],
    ['a topic that is no name of one', { TopicArn: `${TOPIC}@attacker.example.com` }, 401],
    ['a token that is none', { Token: '../../x' }, 503],
  ])('a subscription with %s is not confirmed', async (_, change, status) => {
    fetched.length = 0
    const { ask, asSigned } = receiver('aws-sns', undefined, keys)
    expect((await ask(asSigned(JSON.stringify({ ...confirmation, ...change })))).status).toBe(status)
    expect(fetched).toEqual([])
  })

  test('a subscription is answered 503 if SNS does not answer, so SNS asks again', async () => {
    const failing: KeyFetcher = { fetch: async () => ({ kind: 'unavailable', cause: 'timeout' }) }
    const { ask, asSigned } = receiver('aws-sns', undefined, failing)
    expect((await ask(asSigned(JSON.stringify(confirmation)))).status).toBe(503)
  })
})

describe('a GET', () => {
  test.each([
    ['no handshake', 'stripe', 'a=b', 405],
    ['a handshake that is a POST', 'slack', 'challenge=x', 405],
    ['a handshake, but not its parameter', 'dropbox', 'chalenge=x', 405],
    ['a repeated parameter', 'dropbox', 'challenge=a&challenge=b', 405],
    ['markup', 'dropbox', 'challenge=%3Cscript%3Ealert(1)%3C/script%3E', 405],
    ['a very long challenge', 'nylas', `challenge=${'a'.repeat(1025)}`, 405],
    ['an empty challenge', 'nylas', 'challenge=', 405],
    ['another verify token', 'meta', 'hub.mode=subscribe&hub.verify_token=other&hub.challenge=1', 403],
    ['no verify token', 'whatsapp', 'hub.mode=subscribe&hub.challenge=1', 403],
    ['another mode', 'meta', 'hub.mode=unsubscribe&hub.verify_token=verify-token-1&hub.challenge=1', 405],
    ['a delivery as a crc_token', 'twitter-x', `crc_token=${encodeURIComponent('{"a":1}')}`, 405],
    ['a payload as a challenge', 'braintree', 'bt_challenge=PG5vdGlmaWNhdGlvbj4%3D', 405],
    ['no UUID', 'linkedin', 'challengeCode=hmacsha256%3D%7B%7D', 405],
  ])('a GET with %s (to %s, query %s) is answered %i', async (_, provider, query, status) => {
    const answer = await receiver(provider).ask({ method: 'GET', query })
    expect(answer.status).toBe(status)
    expect(answer.calls).toEqual({})
  })

  test.each(['GET', 'HEAD', 'PUT', 'OPTIONS'])('%s to a source that does not exist is a 405', async method => {
    expect((await receiver('meta').ask({ method, source: 'nobody' })).status).toBe(405)
  })
})

describe('challenges that are signed for anybody', () => {
  test('what X was given as a signed answer is not believed as a delivery', async () => {
    const { ask } = receiver('twitter-x', 'consumer-secret')
    const challenge = await ask({ method: 'GET', query: 'crc_token=1234' })
    const signature = (challenge.body as { response_token?: string }).response_token ?? ''
    expect(signature).toBe('sha256=Ap66yawuxSHA3s6cfo89yXjADGO+DAp/jKh+X82aOUk=')
    const forged = await ask({ body: '1234', headers: { 'x-twitter-webhooks-signature': signature } })
    expect(forged.status).toBe(401)
  })

  test('the challenges of LinkedIn and Braintree are answered', async () => {
    const code = '890e4665-4dfe-4ab1-b689-ed553bceeed0'
    const linkedin = await receiver('linkedin', 'client-secret').ask({ method: 'GET', query: `challengeCode=${code}` })
    expect(linkedin.body).toEqual({
      challengeCode: code,
      challengeResponse: '8ab4bbad570533d66462deba280bde93c1cad8b543e7f526d3e962acaf6c391a',
    })
    // braintree@3.40.0: gateway.webhookNotification.verify('20f9f8ed05f77439fe955c977e4c8a53')
    const braintree = await receiver('braintree', 'integration_private_key').ask({
      method: 'GET',
      query: 'bt_challenge=20f9f8ed05f77439fe955c977e4c8a53',
    })
    expect(braintree.body.status).toBe('integration_public_key|d9b899556c966b3f06945ec21311865d35df3ce4')
  })
})
