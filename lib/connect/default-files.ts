import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

/** Sources in the repository, JavaScript in an installed package: as this file is. */
const own = (path: string): string => resolve(ROOT, path + extname(import.meta.filename))

const here = resolve('sources.ts')

/** The one of the app that is worked on, else our own. */
export const DEFAULT_SOURCE_FILE = existsSync(here) ? here : own('sources')

/** Fake secrets, only ever used locally. */
export const DEFAULT_SECRETS_FILE = resolve(ROOT, 'lib/local/secrets.json')

/** Where users write the code that gets the events. */
export const DEFAULT_WORKER_FILE = own('functions/worker/handler')
