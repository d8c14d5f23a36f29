import { createHash, createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Provider } from '../../../functions/domain/provider.ts'
import type { Scheme } from '../../../functions/domain/scheme.ts'
import type { SourceConfig } from '../../../functions/domain/source.ts'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { judge, source } from './rig.ts'

const NOW = 1_760_000_000
const BODY = '{"id":"evt_1"}'

const scheming = (scheme: Scheme, config: Partial<SourceConfig> = {}) => {
  const base = source({ provider: 'github' }).provider
  const row: Provider = { ...base, id: 'row', scheme }
  const resolved = resolveSources({ acme: { provider: 'row', ...config } }, { row }).get('acme')
  if (resolved === undefined) throw new Error('no source')
  return resolved
}

const hmac = (signed: string, sig: Partial<Extract<Scheme, { kind: 'hmac' }>['sig']> = {}): Scheme => ({
  kind: 'hmac',
  hash: 'sha256',
  sig: { in: 'header', name: 'x-sig', layout: 'plain', encoding: 'hex', ...sig } as Extract<
    Scheme,
    { kind: 'hmac' }
  >['sig'],
  signed,
  key: { encoding: 'utf8' },
})

const hex = (content: string) => createHmac('sha256', 'test-key').update(content).digest('hex')

describe('the signed text', () => {
  const request = {
    method: 'POST',
    url: 'https://h.example.com/in/a%2fb?x=%27#frag',
    headers: { 'x-nonce': 'n1' },
    body: BODY,
  }
  test.each([
    ['{body}', BODY],
    ['v1:{body}:end', `v1:${BODY}:end`],
    ['{method}\n{path}\n{body_sha256_hex}', `POST\n/in/a%2fb\n${createHash('sha256').update(BODY).digest('hex')}`],
    ['{url}', 'https://h.example.com/in/a%2fb?x=%27'],
    ['{header:X-Nonce}.{json:id}', 'n1.evt_1'],
    ['{config:app}{body}', `app-1${BODY}`],
    ['{crc32}', '2394574875'],
  ])('the signed text of the template %j is genuine, and no other is', (signed, content) => {
    const config = signed.includes('config') ? { config: { app: 'app-1' } } : {}
    const headers = { ...request.headers, 'x-sig': hex(content) }
    expect(judge(scheming(hmac(signed), config), { ...request, headers }, 'test-key', NOW)).toBe('genuine')
    expect(
      judge(
        scheming(hmac(signed), config),
        { ...request, headers: { ...headers, 'x-sig': hex(`${content}.`) } },
        'test-key',
        NOW,
      ),
    ).toBe('signature-mismatch')
  })

  test('a signed header that is missing, empty or repeated is refused', () => {
    const of = scheming(hmac('{header:x-nonce}{body}'))
    const judged = (headers: Record<string, string | string[]>) =>
      judge(of, { headers: { ...headers, 'x-sig': hex(BODY) }, body: BODY }, 'test-key', NOW)
    expect(judged({})).toBe('header-missing')
    expect(judged({ 'x-nonce': '' })).toBe('header-missing')
    expect(judged({ 'x-nonce': ['n', 'n'] })).toBe('header-repeated')
  })
})

describe('the signed URL', () => {
  const square = (publicUrl: string | undefined, url: string, signed: string) => {
    const headers = {
      'x-square-hmacsha256-signature': createHmac('sha256', 'test-key')
        .update(signed + BODY)
        .digest('base64'),
    }
    return judge(
      source({ provider: 'square', ...(publicUrl && { publicUrl }) }),
      { url, headers, body: BODY },
      'test-key',
      NOW,
    )
  }

  test('the signed URL is the one called if no public URL is given', () => {
    expect(square(undefined, 'https://internal/w?a=1', 'https://internal/w?a=1')).toBe('genuine')
  })

  test('the signed URL is the public one, with the query of the request', () => {
    expect(square('https://pub.example.com/w', 'https://internal/w', 'https://pub.example.com/w')).toBe('genuine')
    expect(square('https://pub.example.com/w', 'https://internal/w?a=1', 'https://pub.example.com/w?a=1')).toBe(
      'genuine',
    )
  })

  test('the signed URL keeps the query of the public URL if it has one', () => {
    expect(square('https://pub.example.com/w?p=2', 'https://internal/w?a=1', 'https://pub.example.com/w?p=2')).toBe(
      'genuine',
    )
  })
})

describe('encodings', () => {
  const digest = createHmac('sha256', 'test-key').update(BODY).digest()
  test.each([
    ['hex', digest.toString('hex'), digest.toString('hex').toUpperCase()],
    ['hex-upper', digest.toString('hex').toUpperCase(), digest.toString('hex')],
    ['base64', digest.toString('base64'), digest.toString('base64url')],
    ['base64url', digest.toString('base64url'), `${digest.toString('base64url')}=`],
    ['base64(hex)', Buffer.from(digest.toString('hex')).toString('base64'), digest.toString('base64')],
  ] as const)('the encoding %s takes its own spelling and no other', (encoding, right, wrong) => {
    const of = scheming(hmac('{body}', { encoding }))
    expect(judge(of, { headers: { 'x-sig': right }, body: BODY }, 'test-key', NOW)).toBe('genuine')
    expect(judge(of, { headers: { 'x-sig': wrong }, body: BODY }, 'test-key', NOW)).not.toBe('genuine')
  })
})

describe('layouts', () => {
  test('groups of signatures carry their own timestamps', () => {
    const scheme = {
      ...hmac('{ts}.{body}', { layout: 'kv', pairSep: ',', kvSep: '=', sigKeys: ['v1'], groupSep: ' ', many: true }),
      ts: { in: 'sig', name: 't', unit: 's', toleranceSeconds: 300 },
    } as Scheme
    const header = `t=${NOW - 1},v1=${hex('other')} t=${NOW},v1=${hex(`${NOW}.${BODY}`)}`
    expect(judge(scheming(scheme), { headers: { 'x-sig': header }, body: BODY }, 'test-key', NOW)).toBe('genuine')
    const crossed = `t=${NOW},v1=${hex('other')} t=${NOW - 1},v1=${hex(`${NOW}.${BODY}`)}`
    expect(judge(scheming(scheme), { headers: { 'x-sig': crossed }, body: BODY }, 'test-key', NOW)).toBe(
      'signature-mismatch',
    )
  })

  test('a signature may be in one of several headers, in JSON, in a form or in the query', () => {
    const aliased = scheming(hmac('{body}', { aliases: ['x-sig-2'], many: true }))
    expect(judge(aliased, { headers: { 'x-sig-2': hex(BODY) }, body: BODY }, 'test-key', NOW)).toBe('genuine')
    expect(judge(aliased, { headers: { 'x-sig': hex('x'), 'x-sig-2': hex(BODY) }, body: BODY }, 'test-key', NOW)).toBe(
      'genuine',
    )
    const json = scheming(hmac('{json:token}', { in: 'json', name: 'signature.value' }))
    const body = JSON.stringify({ token: 't1', signature: { value: hex('t1') } })
    expect(judge(json, { body }, 'test-key', NOW)).toBe('genuine')
    expect(judge(json, { body: '{"signature":[' }, 'test-key', NOW)).toBe('header-missing')
    const form = scheming(hmac('{form:payload_text}', { in: 'form', name: 'sig' }))
    expect(judge(form, { body: `payload_text=p1&sig=${hex('p1')}` }, 'test-key', NOW)).toBe('genuine')
    const query = scheming(hmac('{body}', { in: 'query', name: 's' }))
    expect(judge(query, { url: `https://h/w?s=${hex(BODY)}`, body: BODY }, 'test-key', NOW)).toBe('genuine')
    expect(judge(query, { url: `https://h/w?s=${hex(BODY)}&s=x`, body: BODY }, 'test-key', NOW)).toBe('header-repeated')
  })
})

describe('public keys', () => {
  const pem = (key: { export: (o: { format: 'pem'; type: 'spki' }) => string | Buffer }) =>
    String(key.export({ format: 'pem', type: 'spki' }))

  test.each(['der', 'ieee-p1363'] as const)(
    'an ECDSA signature packed as %s is verified with the public key',
    format => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const of = scheming({
        ...hmac('{body}', { encoding: 'base64' }),
        kind: 'ecdsa',
        format,
        key: { encoding: 'spki-pem' },
      } as Scheme)
      const signature = sign('sha256', Buffer.from(BODY), { key: privateKey, dsaEncoding: format }).toString('base64')
      expect(judge(of, { headers: { 'x-sig': signature }, body: BODY }, pem(publicKey), NOW)).toBe('genuine')
      expect(judge(of, { headers: { 'x-sig': signature }, body: `${BODY} ` }, pem(publicKey), NOW)).toBe(
        'signature-mismatch',
      )
      expect(judge(of, { headers: { 'x-sig': 'AAAA' }, body: BODY }, pem(publicKey), NOW)).toBe('signature-mismatch')
    },
  )

  test('an RSA signature is verified with the public key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const of = scheming({
      ...hmac('{body}', { encoding: 'base64' }),
      kind: 'rsa',
      key: { encoding: 'spki-pem' },
    } as Scheme)
    const signature = sign('sha256', Buffer.from(BODY), privateKey).toString('base64')
    expect(judge(of, { headers: { 'x-sig': signature }, body: BODY }, pem(publicKey), NOW)).toBe('genuine')
    expect(judge(of, { headers: { 'x-sig': signature }, body: '{}' }, pem(publicKey), NOW)).toBe('signature-mismatch')
  })
})

describe('shared secrets', () => {
  const bearer = source({
    provider: 'custom',
    config: { scheme: { kind: 'token', header: 'Authorization', prefix: 'Bearer ' } },
  })
  const basic = source({ provider: 'custom', config: { scheme: { kind: 'basic' } } })
  const credentials = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

  test('a token is compared whole', () => {
    const judged = (authorization: string) => judge(bearer, { headers: { authorization } }, 't0ken', NOW)
    expect(judged('Bearer t0ken')).toBe('genuine')
    for (const wrong of [
      't0ken',
      'bearer t0ken',
      'Bearer ',
      'Bearer t0ke',
      'Bearer t0ken2',
      'Bearer t0ken,Bearer t0ken',
    ]) {
      expect(judged(wrong), wrong).not.toBe('genuine')
    }
  })

  test('basic credentials are compared whole, whatever the case of the word', () => {
    const judged = (authorization: string) => judge(basic, { headers: { authorization } }, 'user:p:ss', NOW)
    expect(judged(credentials('user:p:ss'))).toBe('genuine')
    expect(judged(credentials('user:p:ss').replace('Basic', 'basic'))).toBe('genuine')
    for (const wrong of ['user:p', 'USER:p:ss', ':p:ss', 'user:', ''])
      expect(judged(credentials(wrong)), wrong).not.toBe('genuine')
    for (const wrong of ['Basic', 'Basic  x', 'Bearer x', `${credentials('user:p:ss')} x`, 'Basic ***']) {
      expect(judged(wrong), wrong).toBe('header-malformed')
    }
  })
})

test('a provider that signs nothing is believed only if the source says unsigned', () => {
  expect(judge(scheming({ kind: 'none' }, { unsigned: true }), {}, [], NOW)).toBe('genuine')
  expect(() => scheming({ kind: 'none' })).toThrow('acme.unsigned: found nothing, expected true')
})
