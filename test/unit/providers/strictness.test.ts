import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { TimestampUnit } from '../../../functions/domain/scheme.ts'
import { parseTimestamp } from '../../../functions/providers/check-timestamp.ts'
import { decodeSignature } from '../../../functions/providers/decode-signature.ts'
import { judge, judged, source } from './rig.ts'

const NOW = 1_760_000_000
const BODY = '{"id":"evt_1"}'
const STRIPE = source({ provider: 'stripe' })
const v1 = createHmac('sha256', 'test-key').update(`${NOW}.${BODY}`).digest('hex')

describe('a header of several items', () => {
  const judgedAs = (header: string) =>
    judge(STRIPE, { headers: { 'stripe-signature': header }, body: BODY }, 'test-key', NOW)

  test('a signature header may hold other items than we look for', () => {
    expect(judgedAs(`t=${NOW},v1=${v1},v0=old`)).toBe('genuine')
  })

  test.each([', v0=old', ',v0=o d', ',v0=o;d', ',', ',=x', ',v 0=x', ',v0'])(
    'a signature header with a right signature is refused whole if an odd item follows: %j',
    odd => {
      expect(judgedAs(`t=${NOW},v1=${v1}${odd}`)).toBe('header-malformed')
    },
  )

  test('a signature header is malformed if no signature in it can be decoded, which no rotation explains', () => {
    expect(judgedAs(`t=${NOW},v1=no-hex`)).toBe('header-malformed')
  })
})

test('one odd group of signatures spoils the others', () => {
  const persona = (header: string) =>
    judge(source({ provider: 'persona' }), { headers: { 'persona-signature': header }, body: BODY }, 'test-key', NOW)
  expect(persona(`t=${NOW},v1=${'0'.repeat(64)} t=${NOW},v1=${v1}`)).toBe('genuine')
  expect(persona(`t=${NOW},v1=${v1} odd`)).toBe('header-malformed')
})

describe('a right signature', () => {
  const secret = Buffer.from('0123456789abcdef01234567')
  const signature = createHmac('sha256', secret).update(`msg_1.${NOW}.${BODY}`).digest('base64')
  const standard = (version: string) => ({
    headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': `${NOW}`, 'webhook-signature': `${version},${signature}` },
    body: BODY,
  })

  test.each([
    ['v1', 'genuine'],
    ['v2', 'signature-mismatch'],
  ])('a right signature under the version %s is %s', (version, verdict) => {
    const whsec = `whsec_${secret.toString('base64')}`
    expect(judge(source({ provider: 'standard-webhooks' }), standard(version), whsec, NOW)).toBe(verdict)
  })

  test.each([
    ['{"a":1}', 'genuine'],
    ['[1]', 'genuine'],
    ['challenge', 'signature-mismatch'],
  ])('a right signature of %s, by a sender that has its challenges signed, is %s', (body, verdict) => {
    const own = `sha256=${createHmac('sha256', 'test-key').update(body).digest('base64')}`
    const headers = { 'x-twitter-webhooks-signature': own }
    expect(judge(source({ provider: 'twitter-x' }), { headers, body }, 'test-key', NOW)).toBe(verdict)
  })
})

test('a signature that came twice is not passed over for a weaker proof beside it', async () => {
  const headers = { 'webhook-signature': ['v1,A', 'v1,B'], 'x-gitlab-token': 'token-0123456789' }
  const gitlab = source({ provider: 'gitlab' })
  expect(await judged(gitlab, { headers, body: BODY }, 'token-0123456789', NOW)).toBe('header-repeated')
})

describe('a secret that is sent along', () => {
  test.each([
    ['in its header', { headers: { key: 'k-0123456789' } }],
    ['in its query', { url: 'https://hooks.example.com/in/acme?key=k-0123456789' }],
  ])('a secret that is sent along is found %s', (_name, request) => {
    expect(judge(source({ provider: 'azure-event-grid' }), request, 'k-0123456789', NOW)).toBe('genuine')
  })

  const basic = { ...STRIPE, scheme: { kind: 'basic' } } as const
  const credentials = Buffer.from('ada:pass').toString('base64')

  test.each([
    [`Basic ${credentials}`, 'genuine'],
    [`basic ${credentials}`, 'genuine'],
    [`Digest Basic ${credentials}`, 'header-malformed'],
    [`Basic ${credentials} x`, 'header-malformed'],
    [`Basic ${Buffer.from('ada:pas').toString('base64')}`, 'signature-mismatch'],
  ])('the basic credentials %s are %s', (authorization, verdict) => {
    expect(judge(basic, { headers: { authorization } }, 'ada:pass', NOW)).toBe(verdict)
  })

  test.each(['abcd', 'Bearer abcd'])('a secret may begin with the prefix itself if that is optional: %s', secret => {
    const token = { in: 'header', name: 'authorization', prefix: 'Bearer ', prefixOptional: true } as const
    const of = { ...STRIPE, scheme: { kind: 'token', token, key: { encoding: 'utf8' } } } as const
    expect(judge(of, { headers: { authorization: 'Bearer abcd' } }, secret, NOW)).toBe('genuine')
  })
})

test.each<[TimestampUnit, string, number | undefined]>([
  ['any', '1760000000', 1_760_000_000_000],
  ['any', '1760000000123', 1_760_000_000_123],
  ['any', '2025-10-09T08:53:20Z', 1_760_000_000_000],
  ['any', '17600000001', undefined],
  ['any', '176000000', undefined],
  ['any', '17600000001234', undefined],
  ['any', 'x1760000000', undefined],
  ['any', '1760000000x', undefined],
])('a timestamp of the unit %s with the text %s is read as %s', (unit, text, instant) => {
  expect(parseTimestamp(unit, text)).toBe(instant)
})

describe('what cannot be a proof is refused, and never a surprise', () => {
  test.each(['c2hvcnQ=', '%%%', ''])('a signature of Twilio that cannot be one is refused: %j', async signature => {
    const headers = { 'x-twilio-signature': signature }
    const verdict = await judged(source({ provider: 'twilio' }), { headers, body: 'a=1' }, 'token', NOW)
    expect(verdict).toBe(signature === '' ? 'header-missing' : 'header-malformed')
  })

  test('a delivery of HubSpot without any of its headers is refused', () => {
    expect(judge(source({ provider: 'hubspot' }), { body: BODY }, 'test-key', NOW)).toBe('header-missing')
  })

  test('a text that is not hex within base64 is not a signature', () => {
    expect(decodeSignature('base64(hex)', '%%%')).toBeUndefined()
    expect(decodeSignature('base64(hex)', 'enp6eg==')).toBeUndefined()
  })

  test('a delivery is not believed if nobody can fetch the keys of its sender', async () => {
    const topics = ['arn:aws:sns:us-west-2:123456789012:MyTopic']
    const sns = source({ provider: 'aws-sns', config: { topics } })
    const notification = {
      Type: 'Notification',
      MessageId: 'm-1',
      TopicArn: topics[0],
      Message: 'x',
      Timestamp: new Date(NOW * 1_000).toISOString(),
      SignatureVersion: '2',
      Signature: 'A'.repeat(344),
      SigningCertURL: 'https://sns.us-west-2.amazonaws.com/SimpleNotificationService-0.pem',
    }
    expect(await judged(sns, { body: JSON.stringify(notification) }, [], NOW)).toBe('key-source')
  })
})
