import { statSync } from 'node:fs'
import { millis } from '../../functions/domain/brands.ts'
import type { SecretsAdmin } from '../operator/secrets-admin.ts'
import { readSecrets, versionOf, writeSecrets } from './file-secrets.ts'

/** The secrets file of a local instance, which reads it again as soon as it has changed. */
export const fileSecretsAdmin = (file: string): SecretsAdmin => ({
  place: file,
  async read() {
    const version = versionOf(file)
    return { lists: readSecrets(file), version, changedAt: millis(statSync(file).mtimeMs) }
  },
  async write(lists, { version }) {
    // Nothing else of this process runs between the look and the rename, and another one has a millisecond.
    if (versionOf(file) !== version) return 'changed'
    writeSecrets(file, lists)
    return 'written'
  },
})
