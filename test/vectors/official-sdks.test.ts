import { createPublicKey } from 'node:crypto'
import { sign as octokitSign, verify as octokitVerify } from '@octokit/webhooks-methods'
import { Paddle } from '@paddle/paddle-node-sdk'
import { EventWebhook, EventWebhookHeader } from '@sendgrid/eventwebhook'
import { verifyKey } from 'discord-interactions'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import twilio from 'twilio'
import { describe, expect, test, vi } from 'vitest'
import { millis } from '../../functions/domain/brands.ts'
import { localPublicKey } from '../../lib/sender/local-key-pair.ts'
import { sign } from '../../lib/sender/sign.ts'
import { judge, judged, source } from '../unit/providers/rig.ts'

const NOW = 1_760_000_000
const BODY = '{"id":"evt_1","type":"thing.updated","note":"café 😀 a/b","n":1}'
const TAMPERED = BODY.replace('evt_1', 'evt_2')
const URL = 'https://hooks.example.com/webhooks/acme'
const BASE64_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const signedByUs = (provider: string, secret: string, body: string, headers: Record<string, string> = {}) =>
  sign(source({ provider }), secret, { url: URL, body: Buffer.from(body), headers, now: millis(NOW * 1000) }).headers

const atNow = <Result>(act: () => Result): Result => {
  vi.useFakeTimers({ now: NOW * 1000, toFake: ['Date'] })
  try {
    return act()
  } finally {
    vi.useRealTimers()
  }
}

describe('stripe', () => {
  const { webhooks } = new Stripe('sk_test_unused')
  const secret = 'whsec_test_secret0123'
  const stripe = source({ provider: 'stripe' })

  test('what the SDK of Stripe signs is genuine, and not for another body', () => {
    const header = webhooks.generateTestHeaderString({ payload: BODY, secret, timestamp: NOW })
    const headers = { 'stripe-signature': header }
    expect(judge(stripe, { headers, body: BODY }, secret, NOW)).toBe('genuine')
    expect(judge(stripe, { headers, body: TAMPERED }, secret, NOW)).toBe('signature-mismatch')
  })

  test('the SDK of Stripe believes what we sign', () => {
    const header = signedByUs('stripe', secret, BODY)['stripe-signature'] ?? ''
    const construct = (body: string) => webhooks.constructEvent(body, header, secret, 300, undefined, NOW * 1000)
    expect(construct(BODY).id).toBe('evt_1')
    expect(() => construct(TAMPERED)).toThrow('No signatures found')
  })
})

describe('@octokit/webhooks-methods', () => {
  test('what the SDK of GitHub signs is genuine, and not for another body', async () => {
    const headers = { 'x-hub-signature-256': await octokitSign('octo-secret', BODY) }
    const github = source({ provider: 'github' })
    expect(judge(github, { headers, body: BODY }, 'octo-secret', NOW)).toBe('genuine')
    expect(judge(github, { headers, body: TAMPERED }, 'octo-secret', NOW)).toBe('signature-mismatch')
  })

  test('the SDK of GitHub believes what we sign', async () => {
    const header = signedByUs('github', 'octo-secret', BODY)['x-hub-signature-256'] ?? ''
    expect(await octokitVerify('octo-secret', BODY, header)).toBe(true)
    expect(await octokitVerify('octo-secret', TAMPERED, header)).toBe(false)
  })
})

describe.each([
  { sdk: 'svix', provider: 'svix', prefix: 'svix-', webhook: new SvixWebhook(BASE64_SECRET) },
  {
    sdk: 'standardwebhooks',
    provider: 'standard-webhooks',
    prefix: 'webhook-',
    webhook: new StandardWebhook(BASE64_SECRET),
  },
])('$sdk', ({ provider, prefix, webhook }) => {
  test(`what the SDK of ${provider} signs is genuine, and not for another body`, () => {
    const signature = webhook.sign('msg_1', new Date(NOW * 1000), BODY)
    const headers = { [`${prefix}id`]: 'msg_1', [`${prefix}timestamp`]: String(NOW), [`${prefix}signature`]: signature }
    expect(judge(source({ provider }), { headers, body: BODY }, BASE64_SECRET, NOW)).toBe('genuine')
    expect(judge(source({ provider }), { headers, body: TAMPERED }, BASE64_SECRET, NOW)).toBe('signature-mismatch')
  })

  test(`the SDK of ${provider} believes what we sign`, () => {
    const headers = { ...signedByUs(provider, BASE64_SECRET, BODY, { [`${prefix}id`]: 'msg_1' }) }
    expect(() => atNow(() => webhook.verify(BODY, headers))).not.toThrow()
    expect(() => atNow(() => webhook.verify(TAMPERED, headers))).toThrow('No matching signature')
  })

  test(`a timestamp with letters after it, which the SDK of ${provider} takes for a number, is refused`, () => {
    const signature = webhook.sign('msg_1', new Date(NOW * 1000), BODY)
    const headers = { [`${prefix}id`]: 'msg_1', [`${prefix}timestamp`]: `${NOW}abc`, [`${prefix}signature`]: signature }
    expect(() => atNow(() => webhook.verify(BODY, headers))).not.toThrow()
    expect(judge(source({ provider }), { headers, body: BODY }, BASE64_SECRET, NOW)).toBe('signature-mismatch')
  })
})

describe('twilio', () => {
  const token = '12345'
  const form = 'To=%2B18005551212&From=%2B1234&Tag=b&Tag=a&Tag=b&Body=caf%C3%A9+%F0%9F%98%80&Empty='
  const parameters = { To: '+18005551212', From: '+1234', Tag: ['b', 'a', 'b'], Body: 'café 😀', Empty: '' }
  const verdict = (signature: string, url: string, body: string) =>
    judged(source({ provider: 'twilio' }), { url, headers: { 'x-twilio-signature': signature }, body }, token, NOW)

  test('a form that the SDK of Twilio signs is genuine, in any order, with repeated and empty values', async () => {
    const signature = twilio.getExpectedTwilioSignature(token, URL, parameters)
    expect(await verdict(signature, URL, form)).toBe('genuine')
    expect(await verdict(signature, URL, form.split('&').reverse().join('&'))).toBe('genuine')
    expect(await verdict(signature, URL, form.replace('Tag=a', 'Tag=c'))).toBe('signature-mismatch')
    expect(await verdict(signature, `${URL}?x=1`, form)).toBe('signature-mismatch')
  })

  test.each([
    ['https://h.example.com/x?a=b', 'https://h.example.com:443/x?a=b'],
    ['http://h.example.com/x', 'http://h.example.com:80/x'],
    ['https://u:p@h.example.com/x', 'https://u:p@h.example.com:443/x'],
    ['https://[::1]/x', 'https://[::1]:443/x'],
  ])('the signed URL %s is the same with and without its port, as in the SDK of Twilio', async (bare, ported) => {
    for (const [signed, called] of [
      [bare, ported],
      [ported, bare],
    ] as const) {
      const signature = twilio.getExpectedTwilioSignature(token, signed, parameters)
      expect(twilio.validateRequest(token, signature, called, parameters)).toBe(true)
      expect(await verdict(signature, called, form)).toBe('genuine')
    }
  })

  test('JSON from Twilio is believed by the hash in the URL', async () => {
    const url = `${URL}?bodySHA256=7a3ca45dfb1acbe22c267c68a9bee4fcf32b6b7fe839fe71ea12b9dcd3b286eb`
    const signature = twilio.getExpectedTwilioSignature(token, url, {})
    expect(await verdict(signature, url, BODY)).toBe('genuine')
    expect(await verdict(signature, url, TAMPERED)).toBe('signature-mismatch')
    expect(await verdict(signature, url, '')).toBe('signature-mismatch')
  })

  test('the SDK of Twilio believes what we sign', () => {
    const signature = signedByUs('twilio', token, form)['x-twilio-signature'] ?? ''
    expect(twilio.validateRequest(token, signature, URL, parameters)).toBe(true)
    expect(twilio.validateRequest(token, signature, URL, { ...parameters, To: '+1' })).toBe(false)
  })

  test('an escape in a Twilio form that is not UTF-8 is not read as U+FFFD', async () => {
    const signature = twilio.getExpectedTwilioSignature(token, URL, { Body: '\ufffd' })
    expect(await verdict(signature, URL, 'Body=%EF%BF%BD')).toBe('genuine')
    expect(await verdict(signature, URL, 'Body=%FF')).toBe('signature-mismatch')
  })
})

describe('discord-interactions', () => {
  test('the SDK of Discord believes what we sign, and nothing else', async () => {
    const key = localPublicKey('ed25519')
    const raw = createPublicKey(key).export({ format: 'jwk' }).x ?? ''
    const hex = Buffer.from(raw, 'base64url').toString('hex')
    const headers = signedByUs('discord', key, BODY)
    const verified = (body: string) =>
      verifyKey(body, headers['x-signature-ed25519'] ?? '', headers['x-signature-timestamp'] ?? '', hex)
    expect([await verified(BODY), await verified(TAMPERED)]).toEqual([true, false])
  })
})

describe('@sendgrid/eventwebhook', () => {
  test('the SDK of SendGrid believes what we sign, and nothing else', () => {
    const key = localPublicKey('ec')
    const der = createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')
    const headers = signedByUs('sendgrid', key, BODY)
    const sdk = new EventWebhook()
    const verified = (body: string) =>
      sdk.verifySignature(
        sdk.convertPublicKeyToECDSA(der),
        body,
        headers[EventWebhookHeader.SIGNATURE().toLowerCase()] ?? '',
        headers[EventWebhookHeader.TIMESTAMP().toLowerCase()] ?? '',
      )
    expect([verified(BODY), verified(TAMPERED)]).toEqual([true, false])
  })
})

describe('@paddle/paddle-node-sdk', () => {
  test('the SDK of Paddle believes what we sign, and nothing else', async () => {
    const secret = 'pdl_ntfset_test_0123456789'
    const header = signedByUs('paddle', secret, BODY)['paddle-signature'] ?? ''
    const { webhooks } = new Paddle('unused')
    const verified = (body: string) => atNow(() => webhooks.isSignatureValid(body, secret, header))
    expect([await verified(BODY), await verified(TAMPERED)]).toEqual([true, false])
  })
})
