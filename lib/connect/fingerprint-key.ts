import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Instance } from './instance.ts'

/** Fake, and the same for everybody: what is in memory is forgotten anyway. */
export const FINGERPRINT_KEY_IN_MEMORY = 'hooklatch-local-fingerprint-key'

/** Beside the events it names (lib/local/data-dir.ts). */
export const FINGERPRINT_KEY_FILE = 'fingerprint.key'

/** The key of a local instance that runs. */
export const fingerprintKeyOf = ({ data }: Pick<Instance, 'data'>): string =>
  data === null ? FINGERPRINT_KEY_IN_MEMORY : readFileSync(join(data, FINGERPRINT_KEY_FILE), 'utf8').trim()
