import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SecretsAnswer } from '../../../functions/domain/ports.ts'
import { fileSecrets } from '../../../lib/connect/file-secrets.ts'
import { NOON } from '../../support/events.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const revealed = (answer: SecretsAnswer) =>
  answer.kind === 'found' ? answer.secrets.map(secret => secret.reveal()) : answer.kind

const store = (content: string) => {
  const file = join(scratchDirectory(), 'secrets.json')
  writeFileSync(file, content)
  return { file, secrets: fileSecrets(file, 'the-key', () => NOON), write: (text: string) => writeFileSync(file, text) }
}

describe('secrets in a file', () => {
  it('secrets in a file are read again when the file changes', async () => {
    const { secrets, write } = store('{"stripe":["first"]}')
    expect(revealed(await secrets.signingSecrets('stripe'))).toEqual(['first'])
    write('{"stripe":["second","first"]}')
    expect(revealed(await secrets.signingSecrets('stripe'))).toEqual(['second', 'first'])
  })

  it('a source has no secrets if its file has none, an empty one, or only a name that objects inherit', async () => {
    const { secrets } = store('{"empty":[""],"none":[]}')
    for (const source of ['empty', 'none', 'other', 'constructor', '__proto__']) {
      expect(await secrets.signingSecrets(source)).toEqual({ kind: 'absent' })
    }
  })

  it.each([
    ['is gone', (file: string) => rmSync(file)],
    ['is cut off', (file: string) => writeFileSync(file, '{"stripe":["leak')],
    ['has another shape', (file: string) => writeFileSync(file, '{"stripe":"leak"}')],
  ])('secrets are unavailable, not absent, while the file %s, and nothing of it is quoted', async (_, breakIt) => {
    const { file, secrets, write } = store('{"stripe":["first"]}')
    breakIt(file)
    const answer = await secrets.signingSecrets('stripe')
    expect(answer.kind).toBe('unavailable')
    expect(JSON.stringify(answer)).not.toContain('leak')
    write('{"stripe":["back"]}')
    expect(revealed(await secrets.signingSecrets('stripe'))).toEqual(['back'])
  })

  it('secrets in a file come with the fingerprint key they were given', async () => {
    const key = await store('{}').secrets.fingerprintKey()
    expect('reveal' in key && key.reveal()).toBe('the-key')
  })
})
