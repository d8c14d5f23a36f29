import { createHash, createHmac } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { millis } from '../../functions/domain/brands.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { acceptQuarantined } from '../../functions/operate/quarantine.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { exampleSecret } from '../../lib/sender/example-secret.ts'
import { sample } from '../../lib/sender/sample.ts'
import { sign } from '../../lib/sender/sign.ts'
import { NOON } from '../support/events.ts'
import { type Post, type ReceiveRig, receiveRig } from '../support/receive-rig.ts'
import { withCrc } from '../support/solve-crc.ts'

/** Somebody has seen one genuine delivery, and sends it again with something changed that its signature does not cover. */

const SECRET = 'local-secret-0123456789abcdef'
const rigOf = (config: Sources[string], secret = SECRET) =>
  receiveRig({ sources: { acme: config }, secrets: { acme: [secret] } })
const statuses = async (at: ReceiveRig, posts: readonly Post[]): Promise<readonly number[]> => {
  const answers = []
  for (const post of posts) answers.push((await at.post({ source: 'acme', ...post })).status)
  return answers
}
/** What DynamoDB is asked from now on. */
const callsOf = ({ memory }: ReceiveRig): (() => number) => {
  const calls = (['putItem', 'updateItem', 'getItem', 'transactWriteItems'] as const).map(name =>
    vi.spyOn(memory.aws.dynamo, name),
  )
  return () => calls.reduce((sum, { mock }) => sum + mock.calls.length, 0)
}
const lastReason = ({ lines }: ReceiveRig): unknown => JSON.parse(lines.at(-1) ?? '{}').Reason

describe('Twilio signs its URL and the fields of its form', () => {
  const FORM = 'AccountSid=AC1&Body=a+b&From=%2B15005550006&MessageSid=SM1&To=%2B15005550009'
  const TEXT = 'AccountSidAC1Bodya bFrom+15005550006MessageSidSM1To+15005550009'
  const query = 'x=1'
  const signature = createHmac('sha1', SECRET)
    .update(`https://hooks.example.com/webhooks/acme?${query}${TEXT}`)
    .digest('base64')
  const post = (body: string, more: Post = {}): Post => ({
    query,
    body,
    ...more,
    headers: { 'x-twilio-signature': signature, 'i-twilio-idempotency-token': 'fresh', ...more.headers },
  })

  it.each([
    ['as it was', post(FORM)],
    ['with its fields in another order', post(FORM.split('&').reverse().join('&'))],
    ['with an escape in lower case', post(FORM.replaceAll('%2B', '%2b'))],
    ['with a field twice', post(`${FORM}&To=%2B15005550009`)],
    ['with a field cut elsewhere', post(FORM.replace('To=%2B', 'To%2B='))],
    ['with two fields as one', post(FORM.replace('&To=', 'To'))],
    [
      'with its first field moved into the URL',
      post(FORM.replace('AccountSid=AC1&', ''), { query: `${query}AccountSidAC1` }),
    ],
  ])('a captured callback %s, under another idempotency token, is a duplicate', async (_, changed) => {
    const at = rigOf({ provider: 'twilio' })
    const again = { ...changed, headers: { ...changed.headers, 'i-twilio-idempotency-token': 'other' } } as Post
    expect(await statuses(at, [post(FORM), again])).toEqual([202, 200])
    expect(at.messages()).toHaveLength(1)
  })

  it.each([
    ['a failed event does not come back', 'failed', [200, 202]],
    ['an abandoned event is not finished', 'claimed', [409, 202]],
  ] as const)(
    '%s with the fields of its callback cut elsewhere, but with those that it had',
    async (_, status, answers) => {
      const at = rigOf({ provider: 'twilio' })
      await statuses(at, [post(FORM)])
      const [record] = at.records.values()
      if (record) at.records.set({ ...record, status, leaseUntil: millis(0) })
      expect(await statuses(at, [post(FORM.replace('&To=', 'To')), post(FORM)])).toEqual(answers)
      expect(at.messages().map(({ body }) => body)).toEqual(Array(2).fill(at.messages()[0]?.body))
    },
  )

  it('another callback of the same message is another event, whatever its token', async () => {
    const other = `${FORM}&Z=1`
    const signed = createHmac('sha1', SECRET)
      .update(`https://hooks.example.com/webhooks/acme?${query}${TEXT}Z1`)
      .digest('base64')
    const at = rigOf({ provider: 'twilio' })
    expect(await statuses(at, [post(FORM), post(other, { headers: { 'x-twilio-signature': signed } })])).toEqual([
      202, 202,
    ])
  })

  it('an identity that a user names is guarded by what was signed', async () => {
    const config = { provider: 'twilio', identity: { businessKey: ['header:i-twilio-idempotency-token'] } } as const
    const again = post(FORM.replaceAll('%2B', '%2b'), { headers: { 'i-twilio-idempotency-token': 'other' } })
    expect(await statuses(rigOf(config), [post(FORM), again])).toEqual([202, 202])
    expect(await statuses(rigOf({ ...config, guard: 'body' }), [post(FORM), again])).toEqual([202, 200])
  })
})

describe('Mailgun signs a token and not the body', () => {
  const SECONDS = String(NOON / 1000)
  const body = (id: string, token: string, said = 'delivered') =>
    JSON.stringify({
      signature: {
        timestamp: SECONDS,
        token,
        signature: createHmac('sha256', SECRET)
          .update(SECONDS + token)
          .digest('hex'),
      },
      'event-data': { id, event: said },
    })

  it('a captured token with another event is refused, in one call and without a message', async () => {
    const at = rigOf({ provider: 'mailgun' })
    expect(await statuses(at, [{ body: body('a', 't1') }])).toEqual([202])
    const calls = callsOf(at)
    expect(await statuses(at, [{ body: body('b', 't1', 'unsubscribed') }])).toEqual([401])
    expect(lastReason(at)).toBe('proof-reused')
    expect(calls()).toBe(1)
    expect(at.messages()).toHaveLength(1)
  })

  it('the same event with other bytes stays a duplicate, in one call', async () => {
    const at = rigOf({ provider: 'mailgun' })
    await statuses(at, [{ body: body('a', 't1') }])
    const calls = callsOf(at)
    expect(await statuses(at, [{ body: body('a', 't1', 'opened') }])).toEqual([200])
    expect(calls()).toBe(1)
  })

  it('the token of a repeat belongs to the event too', async () => {
    const at = rigOf({ provider: 'mailgun' })
    const repeats = [{ body: body('a', 't1') }, { body: body('a', 't2') }, { body: body('b', 't2') }]
    expect(await statuses(at, repeats)).toEqual([202, 200, 401])
    expect(await statuses(at, [{ body: body('c', 't3') }, { body: body('a', 't3') }])).toEqual([202, 401])
  })

  it('a failed event does not come back with another body', async () => {
    const at = rigOf({ provider: 'mailgun' })
    await statuses(at, [{ body: body('a', 't1') }])
    const [record] = at.records.values()
    if (record) at.records.set({ ...record, status: 'failed' })
    expect(await statuses(at, [{ body: body('a', 't1', 'opened') }, { body: body('a', 't1') }])).toEqual([200, 202])
    expect(at.messages().map(({ generation }) => generation)).toEqual([0, 1])
  })

  it('is kept in quarantine if that is on, and is no more believed from there', async () => {
    const at = rigOf({ provider: 'mailgun', quarantine: true })
    await statuses(at, [{ body: body('a', 't1') }, { body: body('b', 't1') }])
    const kept = await at.world.deliveries?.list('quarantine', 'acme', NOON, NOON, 10)
    expect(kept).toMatchObject([{ status: 401, reason: 'proof-reused' }])
    const act = { source: 'acme', key: kept?.[0]?.key ?? '', actor: 'jo', reason: 'looks fine', job: null }
    expect(await acceptQuarantined(at.world, act)).toEqual({ kind: 'distrusted', reason: 'proof-reused' })
    expect(at.messages()).toHaveLength(1)
  })

  it('says of its events that their body is not signed', async () => {
    const at = rigOf({ provider: 'mailgun' })
    await statuses(at, [{ body: body('a', 't1') }])
    expect(at.messages()).toMatchObject([{ bodySigned: false }])
  })
})

describe('PayPal signs a transmission id and a CRC', () => {
  it('a body with the same CRC and another event id is refused', async () => {
    const config = { provider: 'paypal', config: { webhook_id: '1JE4291016473214C' } }
    const [source] = resolveSources({ acme: config }).values()
    if (source === undefined) throw new Error('no source')
    const secret = exampleSecret(source.scheme)
    const made = sample(source, { unique: 'u', id: 'WH-1', now: NOON })
    const { headers, body } = sign(source, secret, {
      url: 'https://hooks.example.com/webhooks/acme',
      ...made,
      now: NOON,
    })
    const forged = withCrc(Buffer.from('{"id":"WH-2","event_type":"PAYMENT.CAPTURE.COMPLETED"} '), crc32(body))
    const at = rigOf(config, secret)
    expect(
      await statuses(at, [
        { headers, body },
        { headers, body: forged },
      ]),
    ).toEqual([202, 401])
    expect(lastReason(at)).toBe('proof-reused')
    expect(at.messages()).toMatchObject([{ eventId: 'WH-1', bodySigned: false }])
  })
})

describe('Adyen signs fields of its items, or the body', () => {
  const KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
  const TEXT = '8515131751004933::AcmeCOM:order-1042:2000:EUR:AUTHORISATION:true'
  const hmacSignature = createHmac('sha256', Buffer.from(KEY, 'hex')).update(TEXT).digest('base64')
  const body = JSON.stringify({
    notificationItems: [
      {
        NotificationRequestItem: {
          additionalData: { hmacSignature },
          amount: { currency: 'EUR', value: 2000 },
          eventCode: 'AUTHORISATION',
          merchantAccountCode: 'AcmeCOM',
          merchantReference: 'order-1042',
          pspReference: '8515131751004933',
          success: 'true',
        },
      },
    ],
  })
  const inForm = (more: string): Post => ({ body: `payload=${encodeURIComponent(body)}${more}` })

  it.each([undefined, { variant: 'items' }])(
    'a captured notification is one event, also in a form (%j)',
    async config => {
      const at = rigOf({ provider: 'adyen', ...(config && { config }) }, KEY)
      expect(await statuses(at, [{ body }, { body }, inForm(''), inForm('&x=1')])).toEqual([202, 200, 401, 401])
      expect(at.records.size).toBe(1)
    },
  )

  it('a failed event does not come back with something in it that is not signed', async () => {
    const at = rigOf({ provider: 'adyen' }, KEY)
    await statuses(at, [{ body }])
    const [record] = at.records.values()
    if (record) at.records.set({ ...record, status: 'failed' })
    const more = body.replace('"success"', '"reason":"refused","success"')
    expect(await statuses(at, [{ body: more }, { body }])).toEqual([200, 202])
  })

  it.each([undefined, { variant: 'header' }])('the signature of an item is not that of a body (%j)', async config => {
    const at = rigOf({ provider: 'adyen', ...(config && { config }) }, KEY)
    expect(await statuses(at, [{ body: TEXT, headers: { hmacsignature: hmacSignature } }])).toEqual([401])
  })
})

describe('HubSpot signs one delivery in several ways', () => {
  const body = JSON.stringify([{ eventId: 1, subscriptionId: 1, portalId: 1, objectId: 1, occurredAt: 1 }])
  const v1 = {
    'x-hubspot-signature': createHash('sha256')
      .update(SECRET + body)
      .digest('hex'),
    'x-hubspot-signature-version': 'v1',
  }

  it('an older signature counts only if the source names it', async () => {
    const at = rigOf({ provider: 'hubspot' })
    expect(await statuses(at, [{ body, headers: v1 }])).toEqual([401])
    expect(lastReason(at)).toBe('header-missing')
    expect(await statuses(rigOf({ provider: 'hubspot', config: { variant: 'v1' } }), [{ body, headers: v1 }])).toEqual([
      202,
    ])
  })
})

describe('a guard', () => {
  it('also covers the bytes that a repeat brought', async () => {
    const at = rigOf({ provider: 'github', guard: 'body' })
    const push = (id: string, body: string): Post => ({
      body,
      headers: {
        'x-github-delivery': id,
        'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
      },
    })
    expect(await statuses(at, [push('d-1', '{"a":1}'), push('d-1', '{"a":2}'), push('d-2', '{"a":2}')])).toEqual([
      202, 200, 200,
    ])
    expect(at.messages()).toHaveLength(1)
  })
})
