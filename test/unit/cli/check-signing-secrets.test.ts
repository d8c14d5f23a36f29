import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveSources } from '../../../functions/providers/sources.ts'
import { checkSigningSecrets } from '../../../lib/cli/checks/check-signing-secrets.ts'
import type { Connection } from '../../../lib/connect/connection.ts'
import { fileSecretsAdmin } from '../../../lib/connect/file-secrets-admin.ts'
import { NOON } from '../../support/events.ts'
import { scratchDirectory } from '../../support/scratch-directory.ts'

const sources = resolveSources({ stripe: { provider: 'stripe' } })

const found = (...stripe: readonly string[]) => {
  const file = join(scratchDirectory(), 'secrets.json')
  writeFileSync(file, JSON.stringify({ stripe }))
  const connection = { secrets: fileSecretsAdmin(file), now: () => NOON } as Connection
  return checkSigningSecrets({ connection, sources })
}

const GOOD = 'whsec_0123456789abcdef'

describe('doctor', () => {
  it('doctor warns of every weakness of a secret', async () => {
    expect(await found('whsec_short key')).toMatchObject([
      { level: 'warning', subject: 'stripe', says: expect.stringContaining('shorter than 16 bytes') },
      { level: 'warning', subject: 'stripe', says: expect.stringContaining('white space') },
    ])
  })

  it('doctor also warns of a weak secret while it is rotated', async () => {
    expect(await found(GOOD, 'whsec_short')).toMatchObject([
      { level: 'warning', says: expect.stringContaining('finish the rotation') },
      { level: 'warning', says: expect.stringContaining('shorter than 16 bytes') },
    ])
  })

  it('doctor has nothing to say of a good secret', async () => {
    expect(await found(GOOD)).toMatchObject([{ level: 'ok', subject: null }])
  })

  it('doctor calls a secret of fewer than 4 bytes unusable', async () => {
    expect(await found('abc')).toMatchObject([{ level: 'wrong', says: expect.stringContaining('fewer than 4 bytes') }])
  })
})
