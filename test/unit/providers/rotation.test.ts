import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { millis } from '../../../functions/domain/brands.ts'
import { checkSignature } from '../../../functions/providers/check-signature.ts'
import { delivery, judge, judged, key, source } from './rig.ts'

const NOW = 1_760_000_000
const BODY = '{"id":"evt_1"}'
const hex = (secret: string) => createHmac('sha256', secret).update(`${NOW}.${BODY}`).digest('hex')
const stripe = source({ provider: 'stripe' })

describe('several secrets', () => {
  test('either of two secrets may have signed, and the verdict says which', () => {
    const posted = delivery({ headers: { 'stripe-signature': `t=${NOW},v1=${hex('previous')}` }, body: BODY })
    const keys = ['current', 'previous'].map(secret => key(stripe, secret))
    expect(checkSignature(stripe, posted, keys, millis(NOW * 1000))).toEqual({ kind: 'genuine', matched: 1 })
  })

  test('no more than eight secrets are tried', () => {
    const headers = { 'stripe-signature': `t=${NOW},v1=${hex('ninth')}` }
    const eight = Array.from({ length: 8 }, (_, index) => `other-${index}`)
    expect(judge(stripe, { headers, body: BODY }, [...eight.slice(1), 'ninth'], NOW)).toBe('genuine')
    expect(judge(stripe, { headers, body: BODY }, [...eight, 'ninth'], NOW)).toBe('signature-mismatch')
  })

  test('no more than eight secrets are tried by a provider with its own code', async () => {
    const url = 'https://hooks.example.com/in/acme'
    const headers = { 'x-twilio-signature': createHmac('sha1', 'ninth').update(`${url}a1`).digest('base64') }
    const eight = Array.from({ length: 8 }, (_, index) => `other-${index}`)
    const twilio = (secrets: readonly string[]) =>
      judged(source({ provider: 'twilio' }), { url, headers, body: 'a=1' }, secrets, NOW)
    expect(await twilio([...eight.slice(1), 'ninth'])).toBe('genuine')
    expect(await twilio([...eight, 'ninth'])).toBe('signature-mismatch')
  })
})

describe('several signatures', () => {
  const filled = (count: number) => `t=${NOW},${`v1=${'0'.repeat(64)},`.repeat(count - 1)}v1=${hex('test-key')}`

  test('sixteen signatures are tried, and seventeen are refused', () => {
    expect(judge(stripe, { headers: { 'stripe-signature': filled(16) }, body: BODY }, 'test-key', NOW)).toBe('genuine')
    expect(judge(stripe, { headers: { 'stripe-signature': filled(17) }, body: BODY }, 'test-key', NOW)).toBe(
      'header-malformed',
    )
  })
})

describe('header families', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`
  const signature = (id: string) =>
    `v1,${createHmac('sha256', '0123456789abcdef01234567').update(`${id}.${NOW}.${BODY}`).digest('base64')}`
  const branded = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(NOW), 'webhook-signature': signature('msg_1') }
  const svix = source({ provider: 'svix' })

  test('Svix is believed under either name', () => {
    const own = { 'svix-id': 'msg_1', 'svix-timestamp': String(NOW), 'svix-signature': signature('msg_1') }
    expect(judge(svix, { headers: own, body: BODY }, secret, NOW)).toBe('genuine')
    expect(judge(svix, { headers: branded, body: BODY }, secret, NOW)).toBe('genuine')
  })

  test('a stray unsigned svix-id beside the other family is refused: it would name a captured event anew', () => {
    for (const name of ['svix-id', 'svix-timestamp']) {
      expect(judge(svix, { headers: { ...branded, [name]: 'msg_2' }, body: BODY }, secret, NOW)).toBe(
        'header-malformed',
      )
    }
    expect(judge(svix, { headers: { ...branded, 'svix-signature': '' }, body: BODY }, secret, NOW)).toBe(
      'header-missing',
    )
  })

  test('Standard Webhooks does not answer to the Svix names', () => {
    const own = { 'svix-id': 'msg_1', 'svix-timestamp': String(NOW), 'svix-signature': signature('msg_1') }
    expect(judge(source({ provider: 'standard-webhooks' }), { headers: own, body: BODY }, secret, NOW)).toBe(
      'header-missing',
    )
  })

  test('a changed or missing id of Svix is refused, because it is signed', () => {
    expect(judge(svix, { headers: { ...branded, 'webhook-id': 'msg_2' }, body: BODY }, secret, NOW)).toBe(
      'signature-mismatch',
    )
    const { 'webhook-id': _, ...nameless } = branded
    expect(judge(svix, { headers: nameless, body: BODY }, secret, NOW)).toBe('header-missing')
  })
})

describe('Standard Webhooks with a public key', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  const standard = source({ provider: 'standard-webhooks' })
  const signature = sign(null, Buffer.from(`msg_1.${NOW}.${BODY}`), privateKey).toString('base64')
  const posted = (value: string) => ({
    headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': String(NOW), 'webhook-signature': value },
    body: BODY,
  })

  test('a v1a signature of Standard Webhooks is believed, also beside a v1 for somebody else', () => {
    const whpk = `whpk_${raw.toString('base64')}`
    expect(judge(standard, posted(`v1a,${signature}`), whpk, NOW)).toBe('genuine')
    expect(judge(standard, posted(`v1,${'A'.repeat(43)}= v1a,${signature}`), whpk, NOW)).toBe('genuine')
    expect(judge(standard, posted(`v1,${signature}`), whpk, NOW)).toBe('signature-mismatch')
  })

  test('the public key of Standard Webhooks is never used as an HMAC key', () => {
    const forged = createHmac('sha256', raw).update(`msg_1.${NOW}.${BODY}`).digest('base64')
    const whpk = `whpk_${raw.toString('base64')}`
    expect(judge(standard, posted(`v1,${forged}`), whpk, NOW)).toBe('signature-mismatch')
    expect(judge(standard, posted(`v1a,${forged}`), whpk, NOW)).toBe('signature-mismatch')
  })
})
