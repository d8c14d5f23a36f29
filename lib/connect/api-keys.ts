import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Source } from '../../functions/domain/source.ts'
import { findApi, senderApis } from '../../functions/senders/find-api.ts'
import type { SenderApi } from '../../functions/senders/sender-api.ts'
import { writeSecrets } from './file-secrets.ts'
import { stateDir } from './instance.ts'
import { makePrivate } from './private-directory.ts'
import { type Refusal, refuse } from './refusal.ts'

export interface ApiKey {
  readonly key: string
  /** Kept for this source, or of the environment and for this run alone. */
  readonly from: 'stored' | 'environment'
}

/** The key for a sender's own API. Kept apart from signing secrets: no receiver needs it. */
export const apiKeyOf = (source: string, directory = process.cwd()): ApiKey | undefined => {
  const { HOOKLATCH_API_KEY: given } = process.env
  if (given) return { key: checked(given), from: 'environment' }
  const stored = readKeys(directory)
  const key = Object.hasOwn(stored, source) ? stored[source] : undefined
  return key?.[0] ? { key: key[0], from: 'stored' } : undefined
}

export const noApiKey = ({ name }: Source, rights: string): Refusal =>
  refuse(`No API key: set HOOKLATCH_API_KEY, or \`npx hooklatch secrets set ${name} --api-key\`. It needs ${rights}.`)

/** For whoever looks at all sources: a key of the environment is for those senders alone whose keys look like it. */
export const keyIfMeant = (source: Source, apiUrl: string | undefined, directory?: string): ApiKey | undefined => {
  const found = findApi(source.provider.id, source.account)
  const key = apiKeyOf(source.name, directory)
  if (found.kind !== 'found' || !key) return undefined
  return key.from === 'stored' || mayBeOf(found.api, key.key, apiUrl) ? key : undefined
}

/** In a test all senders have the same host, and a key that is made up may look like nobody's. */
const mayBeOf = (row: SenderApi, key: string, apiUrl: string | undefined): boolean => {
  const looksLike = ({ looks }: SenderApi): boolean => new RegExp(looks).test(key)
  return looksLike(row) || (apiUrl !== undefined && !Object.values(senderApis).some(looksLike))
}

/** What no header can hold would be an error of its own, with the key in its words. A line end after it is what `cat` gives. */
const checked = (text: string): string => {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new Error('HOOKLATCH_API_KEY is not one word of printable characters: an API key has no spaces or line breaks.')
}

export const storeApiKey = (source: string, key: string, directory = process.cwd()): void => {
  makePrivate(stateDir(directory))
  writeSecrets(fileOf(directory), { ...readKeys(directory), [source]: [key] })
}

/** `--api-url` is for tests: a stored key is sent to loopback, and no key in plain text to anywhere else. */
export const apiOrigin = (url: string | undefined, { from }: ApiKey): string | undefined | Refusal => {
  if (url === undefined) return undefined
  const { protocol, origin, pathname, search } = new URL(url)
  const local = isLoopback(url)
  if (pathname !== '/' || search !== '')
    return refuse('--api-url replaces scheme, host and port: leave out the path.', 2)
  if (!local && from === 'stored') {
    return refuse(
      '--api-url is for tests, and a stored API key is sent to loopback (127.0.0.1) only. For another host, set HOOKLATCH_API_KEY for this run.',
      2,
    )
  }
  return local || protocol === 'https:'
    ? origin
    : refuse('--api-url has to be https: an API key would be sent in plain text.', 2)
}

export const isLoopback = (url: string): boolean => LOOPBACK.test(new URL(url).hostname)

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

const fileOf = (directory: string): string => join(stateDir(directory), 'api-keys.json')

const readKeys = (directory: string): Readonly<Record<string, readonly string[]>> => {
  try {
    return JSON.parse(readFileSync(fileOf(directory), 'utf8')) as Readonly<Record<string, readonly string[]>>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Error(`${fileOf(directory)} cannot be read: remove it, and set the API keys again.`)
  }
}
