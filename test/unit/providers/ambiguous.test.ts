import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { localPublicKey } from '../../../lib/sender/local-key-pair.ts'
import { sign } from '../../../lib/sender/sign.ts'
import { judged, source } from './rig.ts'

/** Fields that are signed one after the other: the same text must not be read as another event. */
const NOW = 1_760_000_000

describe('Adyen joins eight fields by colons', () => {
  const KEY = '0123456789abcdef0123456789abcdef'
  const adyen = source({ provider: 'adyen', config: { variant: 'items' } })
  const signature = createHmac('sha256', Buffer.from(KEY, 'hex'))
    .update('P1:O1:Acme:order:7:2000:EUR:AUTHORISATION:true')
    .digest('base64')
  const body = (fields: object): string =>
    JSON.stringify({
      notificationItems: [
        {
          NotificationRequestItem: {
            amount: { currency: 'EUR', value: 2000 },
            eventCode: 'AUTHORISATION',
            success: 'true',
            additionalData: { hmacSignature: signature },
            ...fields,
          },
        },
      ],
    })

  test('a colon in the own reference of a merchant is fine', async () => {
    const genuine = {
      pspReference: 'P1',
      originalReference: 'O1',
      merchantAccountCode: 'Acme',
      merchantReference: 'order:7',
    }
    expect(await judged(adyen, { body: body(genuine) }, KEY, NOW)).toBe('genuine')
  })

  test('the same text cut into another reference of the payment is refused', async () => {
    const forged = {
      pspReference: 'P1:O1',
      originalReference: 'Acme',
      merchantAccountCode: 'order',
      merchantReference: '7',
    }
    expect(await judged(adyen, { body: body(forged) }, KEY, NOW)).toBe('header-malformed')
  })
})

describe('SNS writes names and values on lines of their own', () => {
  const TOPIC = 'arn:aws:sns:eu-central-1:123456789012:orders'
  const sns = source({ provider: 'aws-sns', config: { topics: [TOPIC] } })
  const secret = localPublicKey('rsa')
  const signed = sign(sns, secret, {
    url: 'https://hooks.example.com/in/acme',
    body: Buffer.from(
      JSON.stringify({ Type: 'Notification', TopicArn: TOPIC, MessageId: 'm-1', Message: 'a\nMessageId\nm-2' }),
    ),
    now: millis(NOW * 1000),
  })
  const message = JSON.parse(Buffer.from(signed.body).toString('utf8'))

  test('a message of several lines is fine', async () => {
    expect(await judged(sns, signed, secret, NOW)).toBe('genuine')
  })

  test('the same lines read as another id are refused', async () => {
    const forged = JSON.stringify({ ...message, Message: 'a', MessageId: 'm-2\nMessageId\nm-1' })
    expect(await judged(sns, { body: forged }, secret, NOW)).toBe('header-malformed')
  })
})

describe('Recurly may show a password, a signature or both', () => {
  const BODY = '{"id":"rjxwmwedwqug","event_type":"created"}'
  const stamp = `${NOW}000`
  const signature = createHmac('sha256', 'recurly-endpoint-key').update(`${stamp}.${BODY}`).digest('hex')
  const password = { authorization: `Basic ${Buffer.from('hooks:recurly-password').toString('base64')}` }
  const signed = { 'recurly-signature': `${stamp},${signature}` }
  const verdict = (headers: Record<string, string>, secret: string, variant?: string) => {
    const recurly = source({ provider: 'recurly', ...(variant && { config: { variant } }) })
    return judged(recurly, { headers, body: BODY }, secret, NOW)
  }

  test('a password that was enough before is still enough beside a signature', async () => {
    expect(await verdict({ ...password, ...signed }, 'hooks:recurly-password')).toBe('genuine')
    expect(await verdict(signed, 'recurly-endpoint-key')).toBe('genuine')
  })

  test('a source that asks for the signature takes no password', async () => {
    expect(await verdict({ ...password, ...signed }, 'recurly-endpoint-key', 'signature')).toBe('genuine')
    expect(await verdict(password, 'hooks:recurly-password', 'signature')).toBe('header-missing')
  })

  test('a wrong password or signature is refused, and two headers are not joined', async () => {
    const wrong = { authorization: `Basic ${Buffer.from('hooks:guess').toString('base64')}` }
    expect(await verdict({ ...wrong, ...signed }, 'hooks:recurly-password')).toBe('signature-mismatch')
    expect(await verdict({ 'recurly-signature': `${stamp},${'0'.repeat(64)}` }, 'recurly-endpoint-key')).toBe(
      'signature-mismatch',
    )
    const joined = `${stamp},${signature},${stamp},${signature}`
    expect(await verdict({ 'recurly-signature': joined }, 'recurly-endpoint-key')).toBe('header-malformed')
  })
})
