import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { DEFAULT_SECRETS_FILE } from '../../../lib/connect/default-files.ts'
import { checkSecrets } from '../../../lib/local/check-secrets.ts'
import sources from '../../../sources.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const check = (secrets: unknown, of = { stripe: { provider: 'stripe' }, svix: { provider: 'svix' } }) => {
  const file = join(scratchDirectory(), 'secrets.json')
  writeFileSync(file, typeof secrets === 'string' ? secrets : JSON.stringify(secrets))
  return checkSecrets(file, resolveSources(of))
}

const GOOD = { stripe: ['whsec_0123456789abcdef'], svix: ['whsec_bAhWvtD5wUsliHzHzLEmDcJKje7dlDwkZLnEZi0bTbY='] }

describe('the secrets of a local instance', () => {
  it('the local secrets of this repository are complete and need no note', () => {
    expect(checkSecrets(DEFAULT_SECRETS_FILE, resolveSources(sources))).toEqual([])
  })

  it('secrets that could protect nothing are all refused in one message', () => {
    expect(check({ stripe: ['', 'whsec_'], svix: [' '] })).toMatchObject({
      exitCode: 1,
      refused: expect.stringMatching(
        /- stripe, secret 1: .*\n- stripe, secret 2: .*only the prefix.*\n- svix: .*empty/,
      ),
    })
  })

  it('a secret of fewer than 4 bytes and a public key are refused as well', () => {
    const pem = '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA\n-----END PUBLIC KEY-----'
    expect(check({ stripe: [pem], svix: ['whsec_AA=='] })).toMatchObject({
      exitCode: 1,
      refused: expect.stringMatching(/- stripe: .*key of a pair.*\n- svix: .*fewer than 4 bytes/),
    })
  })

  it.each([
    ['short', { ...GOOD, stripe: ['short'] }, 'stripe: the secret is shorter than 16 bytes'],
    [
      'short once it is decoded',
      { ...GOOD, svix: ['whsec_MDEyMzQ1Njc4OWFi'] },
      'svix: the secret is shorter than 16 bytes',
    ],
    ['spaced', { ...GOOD, stripe: ['whsec_0123456789abcdef\n'] }, 'stripe: the secret contains white space'],
    [
      'absent',
      { svix: GOOD.svix },
      'stripe has no secret: it answers 503 until `npx hooklatch secrets set stripe` gives it one',
    ],
    ['not decodable', { ...GOOD, svix: ['whsec_%%%'] }, 'svix: the secret is not base64'],
    ['unused', { ...GOOD, stirpe: ['x'] }, 'no source has this name: stirpe'],
  ])('a secret that is %s gives a note and is not refused', (_, secrets, remark) => {
    expect(check(secrets)).toEqual([expect.stringContaining(remark)])
  })

  it.each([
    ['not JSON', '{whsec_leak'],
    ['a list', ['whsec_leak']],
    ['a text per source', { stripe: 'whsec_leak' }],
  ])('a secrets file that is %s is refused without quoting it', (_, content) => {
    const answer = check(content)
    expect(answer).toMatchObject({ exitCode: 1, refused: expect.stringContaining('cannot be used') })
    expect(JSON.stringify(answer)).not.toContain('leak')
  })
})
