import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import type { KeptFor } from '../../../functions/domain/kept-delivery.ts'
import { awaitUntil, withCapture } from '../../../functions/domain/secret-list.ts'
import type { Sources } from '../../../functions/domain/source.ts'
import { acceptQuarantined, reverify } from '../../../functions/operate/quarantine.ts'
import { MEMORY_NAMES } from '../../../lib/memory-aws/hooklatch-resources.ts'
import { NOON } from '../../support/events.ts'
import { type Post, receiveRig } from '../../support/receive-rig.ts'

const LIVE = 'live-secret-0123456789-é"x'
const PLAIN = 'live-secret-0123456789'
const WRONG = 'another:secret-0123456789'
const UNTIL = millis(NOON + 600_000)
const NOTIFICATION = JSON.stringify({ subscriptionId: 's', clientState: LIVE, resource: 'r' })
const JSON_BODY = '{"id":"1","object_kind":"push"}'

interface Case {
  readonly source: Sources[string]
  readonly secret: string
  /** What must not be stored anywhere. */
  readonly text: string
  readonly post: Post
  /** What is put on the queue, if it is not the whole body. */
  readonly item?: string
}

const basic = Buffer.from(`ada:${PLAIN}`).toString('base64')

/** A token of monday: it says who sends, and not what. */
const bearer = (secret: string): { readonly claims: string; readonly signature: string } => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = `${part({ alg: 'HS256' })}.${part({ iat: NOON / 1000, exp: NOON / 1000 + 3600 })}`
  return { claims, signature: createHmac('sha256', secret).update(claims).digest('base64url') }
}
const MONDAY = bearer(PLAIN)

const CASES: Readonly<Record<string, Case>> = {
  'a token in a header': {
    source: { provider: 'gitlab', quarantine: true },
    secret: PLAIN,
    text: PLAIN,
    post: { body: JSON_BODY, headers: { 'x-gitlab-token': PLAIN, 'idempotency-key': 'u-1' } },
  },
  'a bearer token': {
    source: {
      provider: 'custom',
      config: { scheme: { kind: 'token', header: 'authorization', prefix: 'Bearer ' }, id: 'json:id' },
      quarantine: true,
    },
    secret: PLAIN,
    text: PLAIN,
    post: { body: JSON_BODY, headers: { authorization: `Bearer ${PLAIN}` } },
  },
  'a token after a word of its sender': {
    source: {
      provider: 'custom',
      config: { scheme: { kind: 'token', header: 'x-auth', prefix: 'Token ' }, id: 'json:id' },
      quarantine: true,
    },
    secret: PLAIN,
    text: PLAIN,
    post: { body: JSON_BODY, headers: { 'x-auth': `Token ${PLAIN}` } },
  },
  'basic credentials': {
    source: { provider: 'custom', config: { scheme: { kind: 'basic' }, id: 'json:id' }, quarantine: true },
    secret: `ada:${PLAIN}`,
    text: basic,
    post: { body: JSON_BODY, headers: { authorization: `Basic ${basic}` } },
  },
  'a secret in the query': {
    source: { provider: 'mailchimp', quarantine: true },
    secret: PLAIN,
    text: PLAIN,
    post: { body: 'type=subscribe&data%5Bid%5D=1', query: `a=b&secret=${PLAIN}` },
  },
  'a token that does not cover the body': {
    source: { provider: 'monday', quarantine: true },
    secret: PLAIN,
    text: MONDAY.signature,
    post: {
      body: '{"event":{"triggerUuid":"1","type":"create_item"}}',
      headers: { authorization: `${MONDAY.claims}.${MONDAY.signature}` },
    },
  },
  'a secret in the body': {
    source: { provider: 'microsoft-graph', quarantine: true },
    secret: LIVE,
    text: 'live-secret-0123456789',
    post: { body: `{"value":[${NOTIFICATION}]}` },
    item: NOTIFICATION,
  },
}

const rigOf = (source: Sources[string], ...secrets: string[]) =>
  receiveRig({ sources: { acme: source } as Sources, secrets: { acme: secrets } })

type Rig = ReturnType<typeof receiveRig>

const keptIn = ({ world }: Rig, keptFor: KeptFor) => world.deliveries.list(keptFor, 'acme', NOON, world.now(), 100)

/** Every byte that lies in the table of the bodies, unpacked and packed. */
const stored = async (at: Rig): Promise<string> => {
  const kept = [...(await keptIn(at, 'quarantine')), ...(await keptIn(at, 'capture'))]
  expect(kept.length).toBeGreaterThan(0)
  const bodies = kept.map(({ body }) => Buffer.from(body).toString('utf8'))
  const rows = at.memory.engine.items(MEMORY_NAMES.bodiesTable).filter(row => 'delivery' in row)
  return JSON.stringify([kept, bodies, rows])
}

describe.each(Object.entries(CASES))('%s', (_name, { source, secret, text, post, item }) => {
  it('a secret that is sent along is not stored by a quarantine, and verifying again compares its HMAC', async () => {
    const at = rigOf(source, WRONG)
    expect((await at.post({ ...post, source: 'acme' })).status).toBe(401)
    expect(await stored(at)).not.toContain(text)

    const [kept] = await keptIn(at, 'quarantine')
    const key = kept?.key ?? ''
    const act = { source: 'acme', key, actor: 'ada', reason: 'fixed', job: null }
    expect(await reverify(at.world, 'acme', key)).toEqual({ kind: 'distrusted', reason: 'signature-mismatch' })
    at.memory.setSecrets({ acme: [secret] })
    at.advance(600_000)
    expect(await reverify(at.world, 'acme', key)).toEqual({ kind: 'genuine' })
    expect(await acceptQuarantined(at.world, act)).toMatchObject({
      kind: 'taken',
      outcome: expect.stringMatching(/^(accepted|batch)$/),
    })
    // What the handler gets is what was sent.
    expect(at.memory.sent.join()).toContain(Buffer.from(item ?? post.body ?? '').toString('base64'))
  })

  it('a secret that is sent along is not stored by a capture of a genuine delivery', async () => {
    const at = rigOf(source, ...withCapture([secret], { until: UNTIL, answer: null }))
    expect((await at.post({ ...post, source: 'acme' })).status).toBe(202)
    expect(await stored(at)).not.toContain(text)
  })
})

/** As each of them hands its secret over, and to whom nobody listens. */
const HANDED_OVER: Readonly<Record<string, Post>> = {
  asana: { body: '{}', headers: { 'x-hook-secret': PLAIN } },
  notion: { body: JSON.stringify({ verification_token: PLAIN }) },
  gusto: { body: JSON.stringify({ verification_token: PLAIN }) },
}

describe.each(Object.entries(HANDED_OVER))('a secret that %s hands over', (provider, post) => {
  it('is not stored by a quarantine of a source that has one', async () => {
    const at = rigOf({ provider, quarantine: true }, WRONG)
    expect((await at.post({ ...post, source: 'acme' })).status).toBe(401)
    expect(await stored(at)).not.toContain(PLAIN)
  })

  it('is not stored by a capture of the handshake that brings it', async () => {
    const door = awaitUntil(UNTIL)
    const at = rigOf({ provider }, ...withCapture([door], { until: UNTIL, answer: null }))
    // The first is stored, the second is known, and the switch is read with the secrets.
    for (let time = 0; time < 2; time += 1) expect((await at.post({ ...post, source: 'acme' })).status).toBe(200)
    expect(await stored(at)).not.toContain(PLAIN)
  })
})

describe('what no scheme reads', () => {
  it('a quarantine stores no token in the query and no secret in a header of a sender that signs', async () => {
    const at = rigOf({ provider: 'stripe', quarantine: true }, WRONG)
    const headers = { 'stripe-signature': 't=1,v1=00', 'x-webhook-secret': PLAIN, 'x-access-token': PLAIN }
    expect((await at.post({ source: 'acme', body: '{}', headers, query: `token=${PLAIN}` })).status).toBe(401)
    expect(await stored(at)).not.toContain(PLAIN)
    expect(await stored(at)).toContain('t=1,v1=00')
  })

  it('a body that only looks like JSON is kept and answered 401 like any other', async () => {
    const body = '{"value":[{"clientState":"\\q"},{"clientState":"\n"}]}'
    const at = rigOf({ provider: 'microsoft-graph', quarantine: true }, PLAIN)
    expect((await at.post({ source: 'acme', body })).status).toBe(401)
    expect(await stored(at)).not.toContain('\\\\q')
  })

  it('a capture stores no cookie, no authorization and no query of a sender that signs', async () => {
    const at = receiveRig({
      secrets: { stripe: [...withCapture(['whsec_bench_0123456789abcdef'], { until: UNTIL, answer: null })] },
    })
    const headers = { cookie: `a=${PLAIN}`, authorization: `Basic ${basic}`, 'x-api-key': PLAIN }
    await at.post({ source: 'stripe', body: '{}', headers, query: `key=${PLAIN}` })
    const [kept] = await at.world.deliveries.list('capture', 'stripe', NOON, at.world.now(), 10)
    expect(JSON.stringify(kept)).toMatch(/hmac[0-9a-f]{64}/)
    expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${PLAIN}|${basic}`))
  })

  it('a mark that a stranger sends is not taken for a secret', async () => {
    const at = rigOf(CASES['a token in a header']?.source as Sources[string], PLAIN)
    const post = CASES['a token in a header']?.post as Post
    await at.post({ ...post, source: 'acme', headers: { ...post.headers, 'x-gitlab-token': WRONG } })
    const [kept] = await keptIn(at, 'quarantine')
    const mark = kept?.headers['x-gitlab-token']?.[0] ?? ''
    expect(mark).toMatch(/^hmac/)
    at.memory.setSecrets({ acme: [WRONG] })
    at.advance(600_000)
    expect(
      (await at.post({ ...post, source: 'acme', headers: { ...post.headers, 'x-gitlab-token': mark } })).status,
    ).toBe(401)
    const [again] = await keptIn(at, 'quarantine')
    expect(await reverify(at.world, 'acme', again?.key ?? '')).toMatchObject({ kind: 'distrusted' })
  })
})

describe('the room of a quarantine', () => {
  const from = (address: string, id: string, secret = WRONG): Post => ({
    source: 'acme',
    body: JSON_BODY,
    headers: { 'x-gitlab-token': secret, 'idempotency-key': id, 'x-forwarded-for': `203.0.113.9, ${address}` },
  })
  const source = { provider: 'gitlab', quarantine: true } as const
  const ids = async (at: Rig) => (await keptIn(at, 'quarantine')).map(({ headers }) => headers['idempotency-key']?.[0])

  it('a stranger who sends a thousand deliveries does not take the place of a sender at another address', async () => {
    const at = rigOf(source, PLAIN)
    for (let number = 0; number < 1_000; number += 1) await at.post(from('198.51.100.7', `junk-${number}`))
    await at.post(from('192.0.2.1', 'genuine'))
    const kept = await ids(at)
    expect(kept).toContain('genuine')
    expect(kept).toHaveLength(31)
  })

  it('deliveries without a proof from a thousand addresses leave ten places in quarantine for those that show one', async () => {
    const at = rigOf(source, PLAIN)
    for (let number = 0; number < 1_000; number += 1) {
      await at.post({
        source: 'acme',
        body: 'junk',
        headers: { 'x-forwarded-for': `198.51.${number % 250}.${number >> 2}` },
      })
    }
    for (let number = 0; number < 12; number += 1) await at.post(from(`192.0.2.${number}`, `genuine-${number}`))
    expect((await ids(at)).filter(id => id?.startsWith('genuine'))).toHaveLength(10)
  })

  it('addresses of one IPv6 network are one stranger to quarantine', async () => {
    const at = rigOf(source, PLAIN)
    const spellings = [
      (n: number) => `2001:db8::${n}`,
      (n: number) => `2001:0DB8:0:0:${n}::`,
      (n: number) => `2001:db8::${n}:1`,
    ]
    for (let number = 0; number < 100; number += 1) {
      await at.post(from(spellings[number % 3]?.(number + 1) ?? '', `junk-${number}`))
    }
    expect(await ids(at)).toHaveLength(30)
    await at.post(from('2001:db8:0:1::1', 'neighbour'))
    expect(await ids(at)).toContain('neighbour')
  })

  it('a genuine delivery is captured although forged ones have used up the places of its minute', async () => {
    const at = rigOf(source, ...withCapture([PLAIN], { until: UNTIL, answer: null }))
    for (let number = 0; number < 100; number += 1) await at.post(from('198.51.100.7', `junk-${number}`))
    expect((await at.post(from('198.51.100.7', 'genuine', PLAIN))).status).toBe(202)
    expect((await keptIn(at, 'capture')).map(({ eventId }) => eventId)).toContain('genuine')
  })
})
