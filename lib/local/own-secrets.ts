import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { DEFAULT_SECRETS_FILE } from '../connect/default-files.ts'
import { readSecrets, writeSecrets } from '../connect/file-secrets.ts'
import { readInstance, stateDir } from '../connect/instance.ts'
import { makePrivate } from '../connect/private-directory.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'

/**
 * A local instance's own copy of the fake secrets: what `secrets set` writes must land neither in a package nor in a commit. It is kept
 * with the data, and is made again at each start if that is in memory.
 */
export const ownSecrets = (directory: string, dataDir: string | undefined): string | Refusal => {
  const place = dataDir ?? stateDir(directory)
  const file = join(place, 'secrets.json')
  // Of a local instance that runs: its secrets are not ours to replace.
  if (readInstance(directory)?.secretsFile === file) return file
  try {
    makePrivate(place)
    const present = existsSync(file) ? readSecrets(file) : undefined
    const secrets = { ...readSecrets(DEFAULT_SECRETS_FILE), ...(dataDir !== undefined && present) }
    if (!isDeepStrictEqual(secrets, present)) writeSecrets(file, secrets)
    return file
  } catch (error) {
    const what = dataDir === undefined ? `The secrets cannot be kept in ${file}` : `--data ${dataDir} cannot be used`
    return refuse(`${what}: ${(error as Error).message}`)
  }
}
