import { generateKeyPairSync } from 'node:crypto'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Scheme } from '../../../functions/domain/scheme.ts'
import { Secret } from '../../../functions/domain/secret.ts'
import { readKey } from '../../../functions/providers/read-key.ts'
import { secretWarnings } from '../../../functions/providers/secret-warnings.ts'
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
  ])('%s: %j', (provider, secret, sentence) => {
    expect(read(schemeOf(provider), secret)).toEqual({ problem: expect.stringContaining(sentence) })
  })

  test('basic credentials without a colon, or with nothing else', () => {
    expect(read(basic, 'user')).toHaveProperty('problem')
    expect(read(basic, ':')).toHaveProperty('problem')
    expect(read(basic, 'user:pass:word')).not.toHaveProperty('problem')
  })

  test('and the sentence never repeats the value', () => {
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

  test('Discord takes hex or a PEM', () => {
    const hex = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url').toString('hex')
    for (const secret of [hex, hex.toUpperCase(), pem(publicKey)]) {
      const key = read(schemeOf('discord'), secret)
      expect('problem' in key ? key.problem : publicKey.equals(key)).toBe(true)
    }
  })

  test('a key of another kind and a private key are refused', () => {
    expect(read(schemeOf('discord'), pem(ec))).toHaveProperty('problem')
    const mine = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
    expect(read(schemeOf('discord'), mine)).toEqual({ problem: expect.stringContaining('private key') })
  })
})

describe('keys', () => {
  test('do not print', () => {
    const key = read(schemeOf('stripe'), 'whsec_c4n4ry')
    expect(`${inspect(key, { depth: 9, showHidden: true })}${JSON.stringify(key)}${String(key)}`).not.toContain(
      'c4n4ry',
    )
  })

  test('in base64 may lack their padding', () => {
    expect(read(schemeOf('svix'), 'whsec_YWJjZA')).not.toHaveProperty('problem')
  })
})

describe('warnings', () => {
  test('a short or spaced secret is used, with a warning that does not repeat it', () => {
    expect(read(schemeOf('github'), 'k y')).not.toHaveProperty('problem')
    const warnings = secretWarnings(schemeOf('github'), new Secret('k y'))
    expect(warnings).toHaveLength(2)
    expect(warnings.join()).not.toContain('k y')
  })

  test('a long secret and a public key have none', () => {
    expect(secretWarnings(schemeOf('github'), new Secret('0123456789abcdef'))).toEqual([])
    expect(secretWarnings(schemeOf('discord'), new Secret('-----BEGIN PUBLIC KEY-----\n'))).toEqual([])
  })
})
