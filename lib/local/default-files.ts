import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

export const DEFAULT_SOURCE_FILE = resolve(ROOT, 'sources.ts')

/** Fake secrets, only ever used locally. */
export const DEFAULT_SECRETS_FILE = resolve(ROOT, 'lib/local/secrets.json')

/** Where users write the code that gets the events. */
export const DEFAULT_WORKER_FILE = resolve(ROOT, 'functions/worker/handler.ts')
