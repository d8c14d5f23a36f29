import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign as signWith } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { KeyFetcher } from '../../../functions/domain/ports.ts'
import { localPrivateKey, localPublicKey } from '../../../lib/sender/local-key-pair.ts'
import catalogue from '../../vectors/catalogue.json' with { type: 'json' }
import { fetcher, judged, source } from './rig.ts'

const NOW = 1_760_000_000
const BODY = '{"id":"evt_1"}'
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const jwks = (kid: string): string => {
  const key = createPublicKey(localPublicKey('rsa')).export({ format: 'jwk' })
  return JSON.stringify({ keys: [{ ...key, kid }, { kty: 'RSA', kid: 'broken' }, null] })
}

describe('Pub/Sub, whose tokens Google signs for everybody', () => {
  const config = {
    audience: 'https://hooks.example.com/pubsub',
    service_account: 'pusher@acme.iam.gserviceaccount.com',
  }
  const pubsub = source({ provider: 'google-pubsub-push', config })
  const CERTS = 'https://www.googleapis.com/oauth2/v3/certs'
  const good = {
    iss: 'https://accounts.google.com',
    aud: config.audience,
    email: config.service_account,
    email_verified: true,
    iat: NOW,
    exp: NOW + 3600,
  }
  const token = (claims: object, header: object = { alg: 'RS256', kid: 'k1' }): string => {
    const input = `${encode(header)}.${encode(claims)}`
    return `${input}.${signWith('sha256', Buffer.from(input), localPrivateKey('rsa')).toString('base64url')}`
  }
  const ask = (jwt: string, keys: KeyFetcher = fetcher({ [CERTS]: jwks('k1') }).keys, at = NOW) =>
    judged(pubsub, { headers: { authorization: `Bearer ${jwt}` }, body: BODY }, [], at, keys)

  test('a token of Google for us is believed with a downloaded key', async () => {
    expect(await ask(token(good))).toBe('genuine')
  })

  test.each([
    ['for another audience', { aud: 'https://other.example.com' }],
    ['of another account', { email: 'mallory@evil.iam.gserviceaccount.com' }],
    ['of an account that is not verified', { email_verified: false }],
    ['of an account that is verified in words', { email_verified: 'true' }],
    ['of another issuer', { iss: 'https://accounts.example.com' }],
    ['with several audiences', { aud: [config.audience] }],
  ])('a token of Google %s is not believed', async (_, change) => {
    expect(await ask(token({ ...good, ...change }))).toBe('signature-mismatch')
  })

  test('a token of Google that is over, has not begun or never ends is not believed', async () => {
    expect(await ask(token(good), undefined, NOW + 3661)).toBe('timestamp-stale')
    expect(await ask(token({ ...good, nbf: NOW + 120 }))).toBe('timestamp-future')
    const { exp: _, ...endless } = good
    expect(await ask(token(endless))).toBe('timestamp-missing')
    expect(await ask(token({ ...good, exp: 'never' }))).toBe('timestamp-malformed')
  })

  test('a token of Google with another algorithm is not believed, whatever it says', async () => {
    const unsigned = `${encode({ alg: 'none' })}.${encode(good)}.`
    const input = `${encode({ alg: 'HS256', kid: 'k1' })}.${encode(good)}`
    const confused = `${input}.${createHmac('sha256', localPublicKey('rsa')).update(input).digest('base64url')}`
    for (const jwt of [unsigned, `${unsigned}AA`, confused, token(good, { alg: 'RS512', kid: 'k1' })]) {
      expect(await ask(jwt)).toBe('header-malformed')
    }
    expect(await ask(token(good, { alg: 'RS256', kid: 'k1', crit: ['b64'], b64: false }))).toBe('header-malformed')
  })

  test('a token of Google under an unknown key is refused after one more download', async () => {
    const { keys, asked } = fetcher({ [CERTS]: jwks('k2') })
    expect(await ask(token(good), keys)).toBe('signature-mismatch')
    expect(asked).toEqual([CERTS, `${CERTS} again`])
  })

  test.each([
    ['for another audience', { aud: 'https://other.example.com' }],
    ['that is over', { exp: NOW - 3600 }],
  ])('nothing is downloaded for a token %s', async (_, change) => {
    const { keys, asked } = fetcher({ [CERTS]: jwks('k1') })
    expect(await ask(token({ ...good, ...change }), keys)).not.toBe('genuine')
    expect(asked).toEqual([])
  })

  test('a caller is not to blame if Google does not answer', async () => {
    expect(await ask(token(good), fetcher({}).keys)).toBe('key-source')
  })

  test('a key of Google in the secret store replaces the download', async () => {
    const { keys, asked } = fetcher({})
    const headers = { authorization: `Bearer ${token(good)}` }
    expect(await judged(pubsub, { headers, body: BODY }, localPublicKey('rsa'), NOW, keys)).toBe('genuine')
    expect(asked).toEqual([])
  })
})

describe('where keys may come from', () => {
  const fireblocks = source({ provider: 'fireblocks' })

  test('keys come from the URL of the row, or of the config if the row allows that', () => {
    const url = 'https://eu-keys.fireblocks.io/.well-known/jwks.json'
    expect(fireblocks.scheme).toMatchObject({ jwks: { url: 'https://keys.fireblocks.io/.well-known/jwks.json' } })
    expect(source({ provider: 'fireblocks', config: { jwks_url: url } }).scheme).toMatchObject({ jwks: { url } })
    expect(source({ provider: 'fusionauth' }).scheme).not.toHaveProperty('jwks')
  })

  test.each([
    'http://keys.example.com/',
    'https://u:p@keys.example.com/',
    'https://10.0.0.1/',
    'https://localhost/',
    'https://x.example.com:8443/',
    'file:///etc/passwd',
  ])('keys never come from %s', url => {
    expect(() => source({ provider: 'fusionauth', config: { jwks_url: url } })).toThrow('an https:// URL')
  })
})

describe('PayPal', () => {
  const [vector] = catalogue.vectors.filter(({ id }) => id === 'paypal-docs-1')
  const headers = Object.fromEntries(
    Object.entries(vector?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  )
  const paypal = source({ provider: 'paypal', config: { webhook_id: '1JE4291016473214C' } })
  const URL = 'https://api.paypal.com/v1/notifications/certs/CERT-test'
  const ask = (change: Record<string, string>, keys: KeyFetcher, at = vector?.now ?? 0) =>
    judged(paypal, { body: vector?.body ?? '', headers: { ...headers, ...change } }, [], at, keys)

  test('a PayPal certificate that leads to no root is not believed, although its key fits', async () => {
    const { keys, asked } = fetcher({ [URL]: vector?.certificate_pem ?? '' })
    expect(await ask({}, keys)).toBe('signature-mismatch')
    expect(asked).toEqual([URL])
  })

  test.each([
    'https://api.paypal.com.evil.com/v1/notifications/certs/CERT-test',
    'https://evilpaypal.com/v1/notifications/certs/CERT-test',
    'https://api.paypal.com/redirect?to=evil',
    'http://api.paypal.com/v1/notifications/certs/CERT-test',
  ])('the certificate of a PayPal message is never downloaded from %s', async url => {
    const { keys, asked } = fetcher({})
    expect(await ask({ 'paypal-cert-url': url }, keys)).toBe('header-malformed')
    expect(asked).toEqual([])
  })

  test.each([
    ['no signature', { 'paypal-transmission-sig': '' }, 'header-missing'],
    ['one that is not base64', { 'paypal-transmission-sig': 'forged!' }, 'header-malformed'],
    ['no id', { 'paypal-transmission-id': '' }, 'header-missing'],
    ['no time', { 'paypal-transmission-time': '' }, 'timestamp-missing'],
    ['a time that is none', { 'paypal-transmission-time': 'today' }, 'timestamp-malformed'],
    ['an old time', { 'paypal-transmission-time': '2020-01-01T00:00:00Z' }, 'timestamp-stale'],
  ])('nothing is downloaded for a delivery with %s', async (_, change, reason) => {
    const { keys, asked } = fetcher({ [URL]: vector?.certificate_pem ?? '' })
    expect(await ask(change, keys)).toBe(reason)
    expect(asked).toEqual([])
  })

  test('a PayPal message with another algorithm is refused', async () => {
    expect(await ask({ 'paypal-auth-algo': 'SHA1withRSA' }, fetcher({}).keys)).toBe('header-malformed')
  })
})

describe('a JSON Web Key in the secret store', () => {
  const plaid = source({ provider: 'plaid' })
  const [vector] = catalogue.vectors.filter(({ id }) => id === 'plaid-docs-1')

  test('a JSON Web Key in the secret store is taken like a PEM', async () => {
    const jwk = JSON.stringify(createPublicKey(vector?.public_key_pem ?? '').export({ format: 'jwk' }))
    const headers = { 'plaid-verification': vector?.headers['plaid-verification'] ?? '' }
    expect(await judged(plaid, { headers, body: vector?.body ?? '' }, jwk, vector?.now ?? 0)).toBe('genuine')
  })

  test('a JSON Web Key of the wrong kind fits nothing', async () => {
    const headers = { 'plaid-verification': vector?.headers['plaid-verification'] ?? '' }
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'pem', type: 'spki' })
    for (const key of [localPublicKey('rsa'), localPublicKey('ed25519'), p384.toString()]) {
      expect(await judged(plaid, { headers, body: vector?.body ?? '' }, key, vector?.now ?? 0)).toBe(
        'signature-mismatch',
      )
    }
  })

  test('a private JSON Web Key is refused', async () => {
    const pem = createPrivateKey(localPrivateKey('ec').export({ format: 'pem', type: 'pkcs8' })).export({
      format: 'pem',
      type: 'pkcs8',
    })
    expect(await judged(plaid, { headers: { 'plaid-verification': 'a.b.c' }, body: BODY }, pem.toString(), NOW)).toBe(
      'secret-unusable',
    )
  })
})
