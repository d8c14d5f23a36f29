import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Instance } from './instance.ts'
import { FINGERPRINT_KEY_FILE } from './private-directory.ts'

/** Fake, and the same for everybody: what is in memory is forgotten anyway. */
export const FINGERPRINT_KEY_IN_MEMORY = 'hooklatch-local-fingerprint-key'

/** The key of a local instance that runs. */
export const fingerprintKeyOf = ({ data }: Pick<Instance, 'data'>): string =>
  data === null ? FINGERPRINT_KEY_IN_MEMORY : readFileSync(join(data, FINGERPRINT_KEY_FILE), 'utf8').trim()
