import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { checkSigningSecrets } from '../../../lib/cli/checks/check-signing-secrets.ts'
import { printSecrets } from '../../../lib/cli/print/print-secrets.ts'
import { awaitHandshake } from '../../../lib/cli/steps/await-handshake.ts'
import { confirmHandedOver } from '../../../lib/cli/steps/confirm-handed-over.ts'
import type { Connection } from '../../../lib/connect/connection.ts'
import { fileSecrets, readSecrets } from '../../../lib/connect/file-secrets.ts'
import { fileSecretsAdmin } from '../../../lib/connect/file-secrets-admin.ts'
import type { Terminal } from '../../../lib/terminal/terminal.ts'
import { NOON } from '../../support/events.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const sources = resolveSources({ notion: { provider: 'notion' }, stripe: { provider: 'stripe' } })
const STRIPE = ['whsec_0123456789abcdef']
const TOKEN = 'secret_tMrlL1qK5vuQAh1b6cZGhFChZTSYJlce98V0pYn7yBl'
const STRANGER = 'secret_of_a_stranger_who_was_quick'
const fingerprintOf = (secret: string) => `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`

const opened = (notion: readonly string[] = []) => {
  const file = join(scratchDirectory(), 'secrets.json')
  writeFileSync(file, JSON.stringify({ notion, stripe: STRIPE }))
  const said: string[] = []
  const terminal: Terminal = {
    out: text => said.push([text].flat().join('\n')),
    err: text => said.push(`! ${[text].flat().join('\n')}`),
    style: (_, text) => text,
    interactive: false,
    closed: new AbortController().signal,
  }
  const connection = { kind: 'local', secrets: fileSecretsAdmin(file), now: () => NOON } as Connection
  const given = { connection, sources, name: 'notion', json: false, yes: false, show: false, span: '10m' }
  type More = Partial<Parameters<typeof confirmHandedOver>[0]>
  return {
    said,
    doctor: () => checkSigningSecrets({ connection, sources }),
    list: () => printSecrets({ connection, sources, json: true }, terminal),
    opens: (more: More = {}) => awaitHandshake({ ...given, fingerprint: undefined, ...more }, terminal),
    confirms: (more: More = {}) => confirmHandedOver({ ...given, fingerprint: undefined, ...more }, terminal),
    offer: (secret: string) => fileSecrets(file, 'k', () => NOON).accept('notion', secret),
    stored: () => readSecrets(file).notion,
  }
}

describe('a secret that a sender hands over', () => {
  it('a secret that was handed over is used once an operator confirms it', async () => {
    const at = opened()
    expect(await at.opens()).toBe(0)
    expect(at.said.join()).toContain('npx hooklatch secrets confirm notion')
    expect(await at.offer(TOKEN)).toEqual({ kind: 'stored' })
    expect(at.stored()).toEqual([`await:${new Date(NOON + 600_000).toISOString()} ${TOKEN}`])
    expect(await at.confirms({ yes: true })).toBe(0)
    expect(at.stored()).toEqual([TOKEN])
    expect(at.said.join('\n')).not.toContain(TOKEN)
  })

  it('list and doctor show a secret that was handed over by its fingerprint, and nothing else of it', async () => {
    const at = opened()
    await at.opens()
    await at.offer(TOKEN)
    at.said.length = 0
    await at.list()
    expect(JSON.parse(at.said.at(-1) ?? '').secrets[0]).toMatchObject({
      source: 'notion',
      state: 'offered',
      secrets: 0,
      offered: [fingerprintOf(TOKEN)],
      notes: [`handed over: ${fingerprintOf(TOKEN)}`],
    })
    const found = await at.doctor()
    expect(found).toMatchObject([{ level: 'warning', subject: 'notion', fix: 'npx hooklatch secrets confirm notion' }])
    expect(JSON.stringify(found)).toContain(fingerprintOf(TOKEN))
    expect(JSON.stringify([at.said, found])).not.toContain(TOKEN)
  })

  it('--show prints the secret once, for a sender that wants it pasted back', async () => {
    const at = opened()
    await at.opens()
    await at.offer(TOKEN)
    await at.confirms({ yes: true, show: true })
    expect(at.said.at(-1)).toBe(TOKEN)
    at.said.length = 0
    expect(await at.confirms({ yes: true, show: true })).toMatchObject({ refused: expect.stringContaining('Nothing') })
    expect(at.said).toEqual([])
  })

  it('--show prints the secret in the JSON document, if that is asked for', async () => {
    const at = opened()
    await at.opens({ json: true })
    await at.offer(TOKEN)
    await at.confirms({ yes: true, show: true, json: true })
    expect(at.said.map(text => JSON.parse(text))).toEqual([
      { source: 'notion', action: 'await', changed: true },
      {
        source: 'notion',
        action: 'confirm',
        changed: true,
        secrets: 1,
        fingerprint: fingerprintOf(TOKEN),
        secret: TOKEN,
      },
    ])
  })

  it('nobody is asked without a terminal, and then nothing is confirmed without --yes or --fingerprint', async () => {
    const at = opened()
    await at.opens()
    await at.offer(TOKEN)
    const before = at.stored()
    expect(await at.confirms()).toMatchObject({ exitCode: 2, refused: expect.stringContaining('--yes') })
    expect(at.stored()).toEqual(before)
    expect(await at.confirms({ fingerprint: fingerprintOf(TOKEN) })).toBe(0)
  })

  it('of several secrets that were handed over, the operator has to say which', async () => {
    const at = opened()
    await at.opens()
    await at.offer(STRANGER)
    await at.offer(TOKEN)
    const refused = await at.confirms({ yes: true })
    expect(refused).toMatchObject({ refused: expect.stringContaining('2 different secrets') })
    expect(JSON.stringify(refused)).toContain(fingerprintOf(STRANGER))
    expect(await at.confirms({ fingerprint: fingerprintOf('another') })).toMatchObject({ exitCode: 1 })
    expect(await at.confirms({ fingerprint: fingerprintOf(TOKEN) })).toBe(0)
    expect(at.stored()).toEqual([TOKEN])
  })

  it('awaiting again forgets what was handed over before, and keeps a capture', async () => {
    const capture = `hooklatch-capture:${new Date(NOON + 60_000).toISOString()}`
    const at = opened([`await:${new Date(NOON).toISOString()} ${STRANGER}`, capture])
    expect(await at.opens({ span: '1h' })).toBe(0)
    expect(at.stored()).toEqual([`await:${new Date(NOON + 3_600_000).toISOString()}`, capture])
    await at.offer(TOKEN)
    await at.confirms({ yes: true })
    expect(at.stored()).toEqual([TOKEN, capture])
  })

  it('a source that has a secret awaits and confirms none', async () => {
    const at = opened([TOKEN])
    expect(await at.opens()).toMatchObject({ refused: expect.stringContaining('already has a secret') })
    expect(await at.confirms({ yes: true })).toMatchObject({ refused: expect.stringContaining('Nothing was handed') })
    expect(await at.confirms({ name: 'stripe' })).toMatchObject({
      refused: expect.stringContaining('does not hand over'),
    })
  })
})
