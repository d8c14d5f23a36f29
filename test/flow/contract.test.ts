import { describe, expect, it } from 'vitest'
import { NOON } from '../support/events.ts'
import { problemType } from '../support/problem-type.ts'
import { type Post, receiveRig, STRIPE_SECRET, stripeHeader } from '../support/receive-rig.ts'

const BODY = '{"id":"evt_1","type":"invoice.paid"}'
const signed = (body: string, more: Partial<Post> = {}): Post => ({
  body,
  headers: { 'stripe-signature': stripeHeader(body, STRIPE_SECRET, NOON) },
  ...more,
})
const good = stripeHeader(BODY, STRIPE_SECRET, NOON)
const at = (seconds: number) => ({
  body: BODY,
  headers: { 'stripe-signature': stripeHeader(BODY, STRIPE_SECRET, NOON + seconds * 1000) },
})
const deep = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

/** [what is sent, the post, status, problem type]. Nothing here may store, queue or reach a 5xx. */
const REFUSED: readonly (readonly [string, Post, number, string])[] = [
  ['a GET', { method: 'GET' }, 405, 'method'],
  ['a PUT to a source that does not exist', { method: 'PUT', source: 'nobody' }, 405, 'method'],
  ['a body one byte too large', signed('x'.repeat(4_194_305)), 413, 'too-large'],
  ['a gzip body', { body: BODY, headers: { 'stripe-signature': good, 'content-encoding': 'gzip' } }, 415, 'encoding'],
  ['an unknown source', signed(BODY, { source: 'nobody' }), 404, 'unknown-source'],
  ['a source named like an object internal', signed(BODY, { source: '__proto__' }), 404, 'unknown-source'],
  ['no signature', { body: BODY }, 401, 'signature'],
  ['an empty signature', { body: BODY, headers: { 'stripe-signature': '' } }, 401, 'signature'],
  ['a garbled signature', { body: BODY, headers: { 'stripe-signature': '\u00ff,,==;' } }, 401, 'signature'],
  ['a truncated signature', { body: BODY, headers: { 'stripe-signature': good.slice(0, -2) } }, 401, 'signature'],
  [
    'a signature of another secret',
    { body: BODY, headers: { 'stripe-signature': stripeHeader(BODY, 'whsec_other', NOON) } },
    401,
    'signature',
  ],
  ['a signature of another body', { body: `${BODY} `, headers: { 'stripe-signature': good } }, 401, 'signature'],
  [
    'a signature header sent twice',
    {
      body: BODY,
      headers: [
        ['stripe-signature', good],
        ['stripe-signature', good],
      ],
    },
    401,
    'signature',
  ],
  ['a stale timestamp', at(-301), 401, 'timestamp'],
  ['a timestamp of the future', at(301), 401, 'timestamp'],
  ['an empty body', signed(''), 400, 'identity'],
  ['a body that is not JSON', signed('hello'), 400, 'identity'],
  ['truncated JSON', signed('{"id":"evt_1"'), 400, 'identity'],
  ['JSON nested a hundred thousand deep', signed(deep(100_000)), 400, 'identity'],
  ['no id', signed('{"type":"x"}'), 400, 'identity'],
  ['an id that is empty', signed('{"id":""}'), 400, 'identity'],
  ['an id that is a number', signed('{"id":123}'), 400, 'identity'],
  ['an id that is a huge number', signed('{"id":1e400}'), 400, 'identity'],
  ['an id that is null', signed('{"id":null}'), 400, 'identity'],
  ['an id that is an object', signed('{"id":{"toString":"x"}}'), 400, 'identity'],
  ['an id in a prototype', signed('{"__proto__":{"id":"evt_1"}}'), 400, 'identity'],
  ['a list', signed('[{"id":"evt_1"}]'), 400, 'identity'],
]

describe.each(['v1', 'v2', 'url'] as const)('the contract through API Gateway payload %s', format => {
  it.each(REFUSED)('the receiver refuses %s, and stores and sends nothing', async (_name, post, status, type) => {
    const { records, calls, lines, messages, post: send } = receiveRig()
    const answer = await send({ ...post, format })
    expect(answer.status).toBe(status)
    expect(answer.headers['content-type']).toBe('application/problem+json')
    expect(answer.body).toMatchObject({
      type: problemType(type),
      status,
      correlationId: answer.headers['x-correlation-id'],
    })
    expect(calls).toEqual({})
    expect(records.size + messages().length).toBe(0)
    expect(lines).toHaveLength(1)
  })

  it('a signed event with hostile content in fields that nobody reads is accepted', async () => {
    const body = '{"id":"evt_1","id":"evt_2","n":1e400,"big":123456789012345678901234567890,"__proto__":{"x":1}}'
    expect((await receiveRig().post({ ...signed(body), format })).status).toBe(202)
  })

  it('the largest body is accepted', async () => {
    const body = JSON.stringify({ id: 'evt_1', pad: '' })
    const full = body.replace('""', `"${'x'.repeat(4_194_304 - body.length)}"`)
    expect(full).toHaveLength(4_194_304)
    expect((await receiveRig().post({ ...signed(full), format })).status).toBe(202)
  })

  it('the exact bytes are verified, even if they are not UTF-8, and JSON is asked for after that', async () => {
    const body = Buffer.concat([Buffer.from('{"id":"evt_1","x":"'), Buffer.from([0xff]), Buffer.from('"}')])
    const timestamp = Math.floor(NOON / 1000)
    const { createHmac } = await import('node:crypto')
    const v1 = createHmac('sha256', STRIPE_SECRET).update(`${timestamp}.`).update(body).digest('hex')
    const answer = await receiveRig().post({ body, headers: { 'stripe-signature': `t=${timestamp},v1=${v1}` }, format })
    expect(answer.body.type).toBe(problemType('identity'))
  })

  it('headers are read whatever their case', async () => {
    const answer = await receiveRig().post({ body: BODY, headers: { 'Stripe-SIGNATURE': good }, format })
    expect(answer.status).toBe(202)
  })
})

describe('secrets', () => {
  it('a source whose secrets are absent answers 503: it is never 401 and never open', async () => {
    const answer = await receiveRig({ secrets: {} }).post(signed(BODY))
    expect(answer.status).toBe(503)
    expect(answer.body.type).toBe(problemType('unavailable'))
  })

  it('a delivery signed with the current or the previous secret is accepted', async () => {
    const two = receiveRig({ secrets: { stripe: ['whsec_new', STRIPE_SECRET] } })
    expect((await two.stripe({ id: 'evt_1' }, { secret: STRIPE_SECRET })).status).toBe(202)
    expect((await two.stripe({ id: 'evt_2' }, { secret: 'whsec_new' })).status).toBe(202)
    expect((await two.stripe({ id: 'evt_3' }, { secret: 'whsec_gone' })).status).toBe(401)
    // So that a rotation can be seen to finish.
    expect(two.lines.map(line => JSON.parse(line).PreviousSecret)).toEqual([1, undefined, undefined])
  })

  it('secrets that were rotated a moment ago are looked up again before a delivery is refused', async () => {
    let refreshes = 0
    const open = receiveRig({ secrets: { stripe: ['whsec_old'] } })
    const rotated = receiveRig({
      world: {
        ...open.world,
        secrets: {
          ...open.world.secrets,
          refresh: () => {
            refreshes++
            open.memory.setSecrets({ stripe: ['whsec_new', 'whsec_old'] })
            return open.world.secrets.refresh()
          },
        },
      },
    })
    expect((await rotated.stripe({ id: 'evt_1' }, { secret: 'whsec_new' })).status).toBe(202)
    expect(refreshes).toBe(1)
  })

  it('a delivery is answered 503, not 401, if the secret store fails when it is asked again', async () => {
    const open = receiveRig()
    const refresh = async () => ({ kind: 'unavailable' as const, cause: 'down' })
    const down = receiveRig({ world: { ...open.world, secrets: { ...open.world.secrets, refresh } } })
    expect((await down.stripe({ id: 'evt_1' }, { secret: 'whsec_other' })).status).toBe(503)
  })
})

describe('what is said of a delivery', () => {
  it('the log line of a delivery never holds a body, a signature or a secret', async () => {
    const quiet = receiveRig()
    const body = '{"id":"evt_1","card":"canary-in-the-body"}'
    const signature = stripeHeader(body, STRIPE_SECRET, NOON)
    const answers = [
      await quiet.post({ body, headers: { 'stripe-signature': signature } }),
      await quiet.post({ body, headers: { 'stripe-signature': `${signature}0` } }),
      await quiet.post({
        body: `${body}{`,
        headers: { 'stripe-signature': stripeHeader(`${body}{`, STRIPE_SECRET, NOON) },
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([202, 401, 400])
    const said = JSON.stringify([quiet.lines, answers])
    for (const canary of ['canary', signature.slice(-20), STRIPE_SECRET]) expect(said).not.toContain(canary)
  })

  it('a delivery writes one line of EMF with its outcome and its reason', async () => {
    const { lines, post } = receiveRig()
    await post({ body: BODY })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      _aws: {
        Timestamp: NOON,
        CloudWatchMetrics: [
          {
            Namespace: 'Hooklatch',
            Dimensions: [
              ['Environment', 'Source'],
              ['Environment', 'Source', 'Reason'],
            ],
            Metrics: [{ Name: 'Rejected' }],
          },
        ],
      },
      Source: 'stripe',
      Reason: 'header-missing',
      Rejected: 1,
      outcome: 'rejected',
      status: 401,
    })
  })

  it('a source that somebody invented does not become a metric', async () => {
    const { lines, post } = receiveRig()
    await post({ source: 'invented' })
    expect(lines[0]).not.toContain('invented')
  })
})
