import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

export const DEFAULT_SOURCE_FILE = resolve(ROOT, 'sources.ts')

/** Fake secrets, only ever used locally. */
export const DEFAULT_SECRETS_FILE = resolve(ROOT, 'lib/local/secrets.json')
