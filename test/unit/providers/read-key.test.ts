import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Scheme } from '../../../functions/domain/scheme.ts'
import { Secret } from '../../../functions/domain/secret.ts'
import { readKey } from '../../../functions/providers/read-key.ts'
import { secretWarnings } from '../../../functions/providers/secret-warnings.ts'
import { localPublicKey } from '../../../lib/sender/local-key-pair.ts'
import { source } from './rig.ts'

const schemeOf = (provider: string): Scheme => source({ provider }).scheme
const read = (scheme: Scheme, secret: string) => readKey(scheme, new Secret(secret))
const basic: Scheme = { kind: 'basic' }

describe('a secret that can verify nothing is refused', () => {
  test.each([
    ['stripe', 'whsec_', 'only the prefix whsec_'],
    ['paddle', 'pdl_ntfset_', 'only the prefix pdl_ntfset_'],
    ['svix', 'whsec_', 'only the prefix whsec_'],
    ['standard-webhooks', 'whsec_', 'only the prefix whsec_'],
    ['standard-webhooks', 'whpk_', 'not a public key'],
    ['stripe', 'whsec_\n', 'only the prefix whsec_'],
    ['github', '  ', 'is empty'],
    ['svix', 'whsec_not base64!', 'not base64 after whsec_'],
    ['svix', 'whsec_====', 'not base64 after whsec_'],
    ['discord', 'abcd', '64 hex characters'],
    ['discord', 'zz'.repeat(32), '64 hex characters'],
    ['discord', 'ab'.repeat(33), '64 hex characters'],
  ])('a secret of %s that can verify nothing is refused: %j', (provider, secret, sentence) => {
    expect(read(schemeOf(provider), secret)).toMatchObject({ problem: expect.stringContaining(sentence) })
  })

  test.each([
    ['svix', 'whsec_AA=='],
    ['svix', 'whsec_AAAA'],
    ['standard-webhooks', 'AAA='],
    ['github', 'abc'],
  ])('a secret of %s with fewer than 4 bytes is refused: %j', (provider, secret) => {
    expect(read(schemeOf(provider), secret)).toMatchObject({
      problem: expect.stringMatching(/fewer than 4 bytes/),
      worthless: true,
    })
  })

  test('a secret of fewer than 4 bytes is refused even if it is hashed first', () => {
    const scheme = { ...schemeOf('github'), key: { encoding: 'sha1(utf8)' } } as Scheme
    expect(read(scheme, 'abc')).toMatchObject({ worthless: true })
    expect(read(scheme, 'abcd')).not.toHaveProperty('problem')
  })

  test('a secret of four bytes is used', () => {
    for (const secret of ['whsec_AAAAAA==', 'whsec_AAAAAAAA'])
      expect(read(schemeOf('svix'), secret)).not.toHaveProperty('problem')
    expect(read(schemeOf('github'), 'abcd')).not.toHaveProperty('problem')
  })

  test('basic credentials without a colon, or with nothing else, are refused', () => {
    expect(read(basic, 'user')).toHaveProperty('problem')
    expect(read(basic, ':')).toHaveProperty('problem')
    expect(read(basic, 'user:pass:word')).not.toHaveProperty('problem')
  })

  test('the sentence that refuses a secret never repeats it', () => {
    for (const [provider, secret] of [
      ['svix', 'whsec_c4n4ry!'],
      ['discord', 'c4n4ry'],
      ['standard-webhooks', 'whpk_c4n4ry'],
    ] as const) {
      expect(JSON.stringify(read(schemeOf(provider), secret))).not.toContain('c4n4ry')
    }
  })
})

describe('public keys', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
  const pem = (of: typeof publicKey) => String(of.export({ format: 'pem', type: 'spki' }))

  test('a public key of Discord may be hex or a PEM', () => {
    const hex = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')
    for (const secret of [hex, hex.toUpperCase(), pem(publicKey)]) {
      const key = read(schemeOf('discord'), secret)
      expect('problem' in key ? key.problem : publicKey.equals(key)).toBe(true)
    }
  })

  test('a public key of another kind and a private key are refused', () => {
    expect(read(schemeOf('discord'), pem(ec))).toHaveProperty('problem')
    const mine = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
    expect(read(schemeOf('discord'), mine)).toEqual({ problem: expect.stringContaining('private key') })
  })
})

describe('a public key in a form that a sender does not use is never the secret of an HMAC', () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ed = generateKeyPairSync('ed25519')
  const pem = String(rsa.publicKey.export({ format: 'pem', type: 'spki' }))
  const der = (of: typeof rsa.publicKey, type: 'spki' | 'pkcs1' = 'spki') => of.export({ format: 'der', type })
  const [certificate = ''] = rootCertificates
  const spellings: readonly (readonly [string, string])[] = [
    ['a PEM', pem],
    ['a PEM after a space', ` ${pem}`],
    ['a PEM in base64', Buffer.from(pem).toString('base64')],
    ['a JWK', JSON.stringify(ed.publicKey.export({ format: 'jwk' }))],
    ['a DER in base64', der(rsa.publicKey).toString('base64')],
    ['a DER in base64url', der(rsa.publicKey).toString('base64url')],
    ['a DER in hex', der(ed.publicKey).toString('hex')],
    ['an Ed25519 DER in base64', der(ed.publicKey).toString('base64')],
    ['an RSA DER of PKCS 1', der(rsa.publicKey, 'pkcs1').toString('base64')],
    ['a certificate', certificate],
    ['a certificate as a DER', new X509Certificate(certificate).raw.toString('base64')],
    ['an SSH key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAAAAAAAAAAAAAAAAAAAAAAAAAAA ada@example.com'],
  ]

  test.each(spellings)('%s is no secret of GitHub', (_, secret) => {
    expect(read(schemeOf('github'), secret)).toMatchObject({
      problem: expect.stringContaining('key of a pair'),
      worthless: true,
    })
  })

  test.each(spellings.filter(([, secret]) => !/^\s*[-{]/.test(secret)))(
    '%s is no secret of FusionAuth, whose tokens an HMAC may sign as well',
    (_, secret) => {
      expect(read(schemeOf('fusionauth'), secret)).toMatchObject({ problem: expect.stringContaining('of a pair') })
    },
  )

  test('a DER after whsec_ is no secret of Svix', () => {
    const secret = `whsec_${der(ed.publicKey).toString('base64')}`
    expect(read(schemeOf('svix'), secret)).toMatchObject({ problem: expect.stringContaining('of a pair') })
  })

  test('a secret that only begins like a DER is a secret', () => {
    const secret = `MIIB${'a1B2'.repeat(20)}`
    expect(read(schemeOf('github'), secret)).not.toHaveProperty('problem')
    expect(read(schemeOf('svix'), `whsec_${secret}`)).not.toHaveProperty('problem')
  })
})

describe('keys', () => {
  test('a key does not print', () => {
    const key = read(schemeOf('stripe'), 'whsec_c4n4ry')
    expect(`${inspect(key, { depth: 9, showHidden: true })}${JSON.stringify(key)}${String(key)}`).not.toContain(
      'c4n4ry',
    )
  })

  test('a key in base64 may lack its padding', () => {
    expect(read(schemeOf('svix'), 'whsec_YWJjZA')).not.toHaveProperty('problem')
  })

  test('a key in base64 may have bits to spare in its last character, as the libraries of senders take it', () => {
    const bytes = (secret: string) => {
      const key = read(schemeOf('svix'), secret)
      return 'problem' in key ? key.problem : key.export().toString('latin1')
    }
    for (const secret of ['whsec_YWJjZA==', 'whsec_YWJjZB==', 'whsec_YWJjZP', 'whsec_YWJjZD=='])
      expect(bytes(secret), secret).toBe('abcd')
    expect(bytes('whsec_YWJjZGV=')).toBe('abcde')
    for (const secret of ['whsec_YWJjZ', 'whsec_YWJj=', 'whsec_YWJ_ZA==', 'whsec_YW JjZA=='])
      expect(bytes(secret), secret).toContain('not base64')
  })
})

describe('warnings', () => {
  test('a short or spaced secret is used, with a warning that does not repeat it', () => {
    expect(read(schemeOf('github'), 'ke y')).not.toHaveProperty('problem')
    const warnings = secretWarnings(schemeOf('github'), new Secret('ke y'))
    expect(warnings).toHaveLength(2)
    expect(warnings.join()).not.toContain('ke y')
  })

  test('the warning of a short secret counts the bytes it decodes to, without a prefix that everybody knows', () => {
    const short = [expect.stringContaining('shorter than 16 bytes')]
    const warned = (provider: string, secret: string) => secretWarnings(schemeOf(provider), new Secret(secret))
    const encoded = (bytes: number) => Buffer.alloc(bytes, 'a').toString('base64')
    expect(warned('svix', `whsec_${encoded(15)}`)).toEqual(short)
    expect(warned('svix', `whsec_${encoded(16)}`)).toEqual([])
    expect(warned('stripe', `whsec_${'a'.repeat(15)}`)).toEqual(short)
    expect(warned('stripe', `whsec_${'a'.repeat(16)}`)).toEqual([])
    expect(warned('fusionauth', localPublicKey('rsa'))).toEqual([])
  })

  test('a long secret and a public key have no warning', () => {
    expect(secretWarnings(schemeOf('github'), new Secret('0123456789abcdef'))).toEqual([])
    expect(secretWarnings(schemeOf('discord'), new Secret('-----BEGIN PUBLIC KEY-----\n'))).toEqual([])
  })
})
