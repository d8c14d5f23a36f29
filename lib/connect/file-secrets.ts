import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import type { Clock, SecretStore } from '../../functions/domain/ports.ts'
import { Secret } from '../../functions/domain/secret.ts'
import { readSecretList, withOffered } from '../../functions/domain/secret-list.ts'

export type SecretsBySource = Readonly<Record<string, readonly string[]>>

/** Reads the file again whenever it has changed, so a secret can be rotated while the local instance runs. */
export const fileSecrets = (file: string, fingerprintKey: string, now: Clock): SecretStore => {
  let read: { readonly version: string; readonly secrets: SecretsBySource } | undefined

  const current = (): SecretsBySource => {
    const version = versionOf(file)
    if (read?.version !== version) read = { version, secrets: readSecrets(file) }
    return read.secrets
  }

  return {
    async signingSecrets(source) {
      try {
        const secrets = current()
        const found = readSecretList((Object.hasOwn(secrets, source) ? secrets[source] : undefined) ?? []).secrets
        return found.length > 0 ? { kind: 'found', secrets: found } : { kind: 'absent' }
      } catch (error) {
        return { kind: 'unavailable', cause: (error as Error).message }
      }
    },
    // A file that cannot be read switches nothing on; who asks for its secrets hears about it.
    capturing(source) {
      try {
        return readSecretList(current()[source] ?? []).capture
      } catch {
        return null
      }
    },
    async accept(source, offered) {
      try {
        const secrets = current()
        const list = withOffered(secrets[source] ?? [], offered, now())
        if (typeof list === 'string') return { kind: list }
        writeSecrets(file, { ...secrets, [source]: list })
        return { kind: 'stored' }
      } catch (error) {
        return { kind: 'unavailable', cause: (error as Error).message }
      }
    },
    // Every call looks at the file, so there is never anything newer to look for.
    refresh: async () => ({ kind: 'too-soon' }),
    fingerprintKey: async () => new Secret(fingerprintKey),
  }
}

/** Another one after every change. */
export const versionOf = (file: string): string => {
  const { mtimeNs, size, ino } = statSync(file, { bigint: true })
  return `${mtimeNs} ${size} ${ino}`
}

/** Whole or not at all: a reader sees the old file or the new one. */
export const writeSecrets = (file: string, secrets: SecretsBySource): void => {
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** Throws a sentence that says what is wrong, without quoting any of it. */
export const readSecrets = (file: string): SecretsBySource => {
  const parsed = parseFile(file)
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed)) throw new TypeError(wrongShape(file))
  const mistakes = Object.entries(parsed).filter(([, values]) => !isListOfText(values))
  if (mistakes.length > 0) {
    throw new TypeError(`${wrongShape(file)} Wrong: ${mistakes.map(([source]) => source).join(', ')}.`)
  }
  return parsed as SecretsBySource
}

const isListOfText = (value: unknown): boolean => Array.isArray(value) && value.every(each => typeof each === 'string')

const wrongShape = (file: string): string => `${file} is not a map of lists, { "stripe": ["whsec_..."] }.`

/** JSON.parse quotes what it could not read, and that is a secret. */
const parseFile = (file: string): unknown => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new TypeError(code === undefined ? `${file} is not JSON.` : `${file} cannot be read (${code}).`)
  }
}
