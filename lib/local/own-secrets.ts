import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { needsSecret } from '../../functions/domain/scheme.ts'
import type { Source } from '../../functions/domain/source.ts'
import { DEFAULT_SECRETS_FILE } from '../connect/default-files.ts'
import { readSecrets, type SecretsBySource, writeSecrets } from '../connect/file-secrets.ts'
import { stateDir } from '../connect/instance.ts'
import { makePrivate } from '../connect/private-directory.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'
import { judgeSecret } from '../operator/judge-secret.ts'
import { exampleSecret } from '../sender/example-secret.ts'

/**
 * A local instance's own fake secrets, one for each source that needs one: what `secrets set` writes must land neither in a package
 * nor in a commit. They are kept with the data, and are made again at each start if that is in memory.
 */
export const ownSecrets = (
  directory: string,
  dataDir: string | undefined,
  sources: ReadonlyMap<string, Source>,
): string | Refusal => {
  const place = dataDir ?? stateDir(directory)
  const file = join(place, 'secrets.json')
  try {
    makePrivate(place)
    const present = existsSync(file) ? readSecrets(file) : undefined
    const secrets = { ...fakeSecrets(sources), ...(dataDir !== undefined && present) }
    if (!isDeepStrictEqual(secrets, present)) writeSecrets(file, secrets)
    return file
  } catch (error) {
    const what = dataDir === undefined ? `The secrets cannot be kept in ${file}` : `--data ${dataDir} cannot be used`
    return refuse(`${what}: ${(error as Error).message}`)
  }
}

/** Known ones for the names that our samples use. A secret that its sender hands over in a handshake is not made up. */
const fakeSecrets = (sources: ReadonlyMap<string, Source>): SecretsBySource => {
  const known = readSecrets(DEFAULT_SECRETS_FILE)
  const needy = [...sources.values()].filter(
    ({ scheme, provider }) => needsSecret(scheme) && !provider.handshake?.offers,
  )
  return Object.fromEntries(needy.map(source => [source.name, fitting(known[source.name], source)]))
}

/** The name `stripe` may be another sender's. */
const fitting = (known: readonly string[] | undefined, { scheme }: Source): readonly string[] =>
  known?.every(value => judgeSecret(scheme, value).kind === 'fits') ? known : [exampleSecret(scheme)]
