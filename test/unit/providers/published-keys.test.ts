import { createHmac, createPrivateKey, createPublicKey, generateKeyPairSync, sign as signWith } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { httpsKeys } from '../../../functions/adapters/https-keys.ts'
import { millis } from '../../../functions/domain/brands.ts'
import type { KeyFetcher } from '../../../functions/domain/ports.ts'
import { localPrivateKey, localPublicKey } from '../../../lib/sender/local-key-pair.ts'
import catalogue from '../../vectors/catalogue.json' with { type: 'json' }
import { judged, source } from './rig.ts'

const NOW = 1_760_000_000
const BODY = '{"id":"evt_1"}'
const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const fetcher = (texts: Readonly<Record<string, string>>) => {
  const asked: string[] = []
  const keys: KeyFetcher = {
    fetch: async (url, freshness) => {
      asked.push(freshness ? `${url} ${freshness}` : url)
      const text = texts[url]
      return text === undefined ? { kind: 'unavailable', cause: 'Error: 404' } : { kind: 'fetched', text }
    },
  }
  return { keys, asked }
}

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

  test('a token of ours is believed, with a downloaded key', async () => {
    expect(await ask(token(good))).toBe('genuine')
  })

  test.each([
    ['for another audience', { aud: 'https://other.example.com' }],
    ['of another account', { email: 'mallory@evil.iam.gserviceaccount.com' }],
    ['of an account that is not verified', { email_verified: false }],
    ['of an account that is verified in words', { email_verified: 'true' }],
    ['of another issuer', { iss: 'https://accounts.example.com' }],
    ['with several audiences', { aud: [config.audience] }],
  ])('a token %s is not', async (_, change) => {
    expect(await ask(token({ ...good, ...change }))).toBe('signature-mismatch')
  })

  test('a token that is over, not yet begun, or endless is not', async () => {
    expect(await ask(token(good), undefined, NOW + 3661)).toBe('timestamp-stale')
    expect(await ask(token({ ...good, nbf: NOW + 120 }))).toBe('timestamp-future')
    const { exp: _, ...endless } = good
    expect(await ask(token(endless))).toBe('timestamp-missing')
    expect(await ask(token({ ...good, exp: 'never' }))).toBe('timestamp-malformed')
  })

  test('no other algorithm is, whatever the token says', async () => {
    const unsigned = `${encode({ alg: 'none' })}.${encode(good)}.`
    const input = `${encode({ alg: 'HS256', kid: 'k1' })}.${encode(good)}`
    const confused = `${input}.${createHmac('sha256', localPublicKey('rsa')).update(input).digest('base64url')}`
    for (const jwt of [unsigned, `${unsigned}AA`, confused, token(good, { alg: 'RS512', kid: 'k1' })]) {
      expect(await ask(jwt)).toBe('header-malformed')
    }
    expect(await ask(token(good, { alg: 'RS256', kid: 'k1', crit: ['b64'], b64: false }))).toBe('header-malformed')
  })

  test('an unknown key is looked for again, once, and then refused', async () => {
    const { keys, asked } = fetcher({ [CERTS]: jwks('k2') })
    expect(await ask(token(good), keys)).toBe('signature-mismatch')
    expect(asked).toEqual([CERTS, `${CERTS} again`])
  })

  test('when Google does not answer, the caller is not to blame', async () => {
    expect(await ask(token(good), fetcher({}).keys)).toBe('key-source')
  })

  test('a key of the secret store stands for the download', async () => {
    const { keys, asked } = fetcher({})
    const headers = { authorization: `Bearer ${token(good)}` }
    expect(await judged(pubsub, { headers, body: BODY }, localPublicKey('rsa'), NOW, keys)).toBe('genuine')
    expect(asked).toEqual([])
  })
})

describe('where keys may come from', () => {
  const fireblocks = source({ provider: 'fireblocks' })

  test('is the row, or the config where the row lets it say so', () => {
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
  ])('and never %s', url => {
    expect(() => source({ provider: 'fusionauth', config: { jwks_url: url } })).toThrow('an https:// URL')
  })
})

describe('SNS', () => {
  const [vector] = catalogue.vectors.filter(({ id }) => id === 'aws-sns-docs-v2')
  const message = JSON.parse(vector?.body ?? '{}')
  const certificate = vector?.certificate_pem ?? ''
  const sns = source({ provider: 'aws-sns', config: { topics: [message.TopicArn] } })
  const URL = 'https://sns.us-west-2.amazonaws.com/SimpleNotificationService-test.pem'
  const ask = (change: object, keys: KeyFetcher, of = sns, at = vector?.now ?? 0) =>
    judged(of, { body: JSON.stringify({ ...message, ...change }) }, [], at, keys)

  test('the certificate is downloaded from SNS', async () => {
    const { keys, asked } = fetcher({ [URL]: certificate })
    expect(await ask({}, keys)).toBe('genuine')
    expect(asked).toEqual([URL])
  })

  test.each([
    'https://sns.us-west-2.amazonaws.com.evil.com/x.pem',
    'https://evil.com/sns.us-west-2.amazonaws.com/x.pem',
    'https://sns.us-west-2.amazonaws.com@evil.com/x.pem',
    'http://sns.us-west-2.amazonaws.com/x.pem',
    'https://sns.us-west-2.amazonaws.com:8443/x.pem',
    'https://sns.us-west-2.amazonaws.com/x.pem?a=b',
    'https://sns.us-west-2.amazonaws.com/x.pem#y',
    'https://sns.us-west-2.amazonaws.com/../x.pem',
    'https://s3.us-west-2.amazonaws.com/x.pem',
    'https://sns.us-west-2.amazonaws.com/x.txt',
    'https://169.254.169.254/x.pem',
    '',
  ])('and never from %s', async SigningCertURL => {
    const { keys, asked } = fetcher({ [SigningCertURL]: certificate })
    expect(await ask({ SigningCertURL }, keys)).toBe('header-malformed')
    expect(asked).toEqual([])
  })

  test('a topic that is not ours is refused before anything is downloaded', async () => {
    const { keys, asked } = fetcher({ [URL]: certificate })
    const other = source({ provider: 'aws-sns', config: { topics: ['arn:aws:sns:us-west-2:123456789012:Other'] } })
    expect(await ask({}, keys, other)).toBe('signature-mismatch')
    expect(asked).toEqual([])
  })

  test('each signed field counts', async () => {
    const { keys } = fetcher({ [URL]: certificate })
    for (const name of ['Message', 'MessageId', 'Subject', 'Timestamp', 'Type']) {
      expect(await ask({ [name]: 'changed' }, keys), name).not.toBe('genuine')
      expect(await ask({ [name]: undefined }, keys), name).not.toBe('genuine')
      expect(await ask({ [name]: 7 }, keys), name).not.toBe('genuine')
    }
    expect(await ask({ SignatureVersion: '1' }, keys)).toBe('signature-mismatch')
    expect(await ask({ SignatureVersion: '3' }, keys)).toBe('header-malformed')
  })

  test('what is no certificate, or one that is over, proves nothing', async () => {
    expect(await ask({}, fetcher({ [URL]: 'not a certificate' }).keys)).toBe('signature-mismatch')
    expect(await ask({}, fetcher({ [URL]: certificate }).keys, sns, 2_100_000_000)).toBe('signature-mismatch')
    expect(await ask({}, fetcher({}).keys)).toBe('key-source')
  })
})

describe('PayPal', () => {
  const [vector] = catalogue.vectors.filter(({ id }) => id === 'paypal-docs-1')
  const headers = Object.fromEntries(
    Object.entries(vector?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  )
  const paypal = source({ provider: 'paypal', config: { webhook_id: '1JE4291016473214C' } })
  const URL = 'https://api.paypal.com/v1/notifications/certs/CERT-test'
  const ask = (change: Record<string, string>, keys: KeyFetcher) =>
    judged(paypal, { body: vector?.body ?? '', headers: { ...headers, ...change } }, [], vector?.now ?? 0, keys)

  test('a downloaded certificate that leads to no root is not believed, though its key fits', async () => {
    const { keys, asked } = fetcher({ [URL]: vector?.certificate_pem ?? '' })
    expect(await ask({}, keys)).toBe('signature-mismatch')
    expect(asked).toEqual([URL])
  })

  test.each([
    'https://api.paypal.com.evil.com/v1/notifications/certs/CERT-test',
    'https://evilpaypal.com/v1/notifications/certs/CERT-test',
    'https://api.paypal.com/redirect?to=evil',
    'http://api.paypal.com/v1/notifications/certs/CERT-test',
  ])('nothing is downloaded from %s', async url => {
    const { keys, asked } = fetcher({})
    expect(await ask({ 'paypal-cert-url': url }, keys)).toBe('header-malformed')
    expect(asked).toEqual([])
  })

  test('another algorithm is refused', async () => {
    expect(await ask({ 'paypal-auth-algo': 'SHA1withRSA' }, fetcher({}).keys)).toBe('header-malformed')
  })
})

describe('a JSON Web Key in the secret store', () => {
  const plaid = source({ provider: 'plaid' })
  const [vector] = catalogue.vectors.filter(({ id }) => id === 'plaid-docs-1')

  test('is taken like a PEM', async () => {
    const jwk = JSON.stringify(createPublicKey(vector?.public_key_pem ?? '').export({ format: 'jwk' }))
    const headers = { 'plaid-verification': vector?.headers['plaid-verification'] ?? '' }
    expect(await judged(plaid, { headers, body: vector?.body ?? '' }, jwk, vector?.now ?? 0)).toBe('genuine')
  })

  test('a key of the wrong kind fits nothing', async () => {
    const headers = { 'plaid-verification': vector?.headers['plaid-verification'] ?? '' }
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'pem', type: 'spki' })
    for (const key of [localPublicKey('rsa'), localPublicKey('ed25519'), p384.toString()]) {
      expect(await judged(plaid, { headers, body: vector?.body ?? '' }, key, vector?.now ?? 0)).toBe(
        'signature-mismatch',
      )
    }
  })

  test('a private key is refused', async () => {
    const pem = createPrivateKey(localPrivateKey('ec').export({ format: 'pem', type: 'pkcs8' })).export({
      format: 'pem',
      type: 'pkcs8',
    })
    expect(await judged(plaid, { headers: { 'plaid-verification': 'a.b.c' }, body: BODY }, pem.toString(), NOW)).toBe(
      'secret-unusable',
    )
  })
})

describe('downloads', () => {
  test('are remembered for an hour, and not repeated within a minute even when asked to', async () => {
    let at = 0
    let gets = 0
    const keys = httpsKeys(
      () => millis(at),
      async () => `text ${++gets}`,
    )
    const fetch = async (freshness?: 'again') => {
      const answer = await keys.fetch('https://keys.example.com/', freshness)
      return answer.kind === 'fetched' ? answer.text : answer.cause
    }
    expect(await fetch()).toBe('text 1')
    expect(await fetch('again')).toBe('text 1')
    at = 61_000
    expect(await fetch()).toBe('text 1')
    expect(await fetch('again')).toBe('text 2')
    at += 3_600_000
    expect(await fetch()).toBe('text 3')
  })

  test('are no more than 20 in a minute, whatever is invented', async () => {
    let at = 0
    let gets = 0
    const keys = httpsKeys(
      () => millis(at),
      async () => `text ${++gets}`,
    )
    for (let url = 0; url < 100; url++) await keys.fetch(`https://keys.example.com/${url}`)
    expect(gets).toBe(20)
    expect(await keys.fetch('https://keys.example.com/0')).toMatchObject({ kind: 'fetched' })
    at = 60_000
    expect(await keys.fetch('https://keys.example.com/99')).toMatchObject({ kind: 'fetched' })
  })

  test('that fail are unavailable, not thrown', async () => {
    const keys = httpsKeys(
      () => millis(0),
      () => Promise.reject(new Error('keys.example.com answered 302')),
    )
    expect(await keys.fetch('https://keys.example.com/')).toEqual({
      kind: 'unavailable',
      cause: 'Error: keys.example.com answered 302',
    })
  })
})
