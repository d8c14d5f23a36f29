import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import { FINGERPRINT_KEY_FILE } from '../connect/private-directory.ts'
import type { AppSettings } from './app-settings.ts'

/**
 * One text for everything a template is made from: every file of the app with its lock file, the command, and this package.
 * What an app reads from elsewhere (the environment, the network) is not in it, and neither are its workers: their code is in no
 * template, and is what changes most.
 */
export const hashInputs = ({ directory, app, context }: AppSettings, workers: readonly string[]): string => {
  const hash = createHash('sha256').update(JSON.stringify([app, context, process.version, ownVersion()]))
  const files = filesIn(directory).filter(file => !workers.includes(file) && !NEVER_READ.test(file))
  for (const file of files) hash.update(`\0${file}\0`).update(contentOf(join(directory, file)))
  return hash.digest('hex')
}

const ownVersion = (): string => {
  const { version } = JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8'))
  return version
}

/** What others made, or nobody wrote by hand: packages are in the lock file, and output is made from the rest. */
const LEFT_OUT = new Set(['node_modules', 'cdk.out', 'coverage', 'dist'])

const NEVER_READ = /\.(md|log)$|\.test\.\w+$/

const isLeftOut = (name: string): boolean => LEFT_OUT.has(name) || name.startsWith('.')

const filesIn = (directory: string, below = ''): readonly string[] => {
  const entries = readdirSync(join(directory, below), { withFileTypes: true })
  // Kept by `--data`: it changes with every event.
  if (entries.some(({ name }) => name === FINGERPRINT_KEY_FILE)) return []
  return entries
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap(entry => {
      const path = join(below, entry.name)
      if (entry.isDirectory()) return isLeftOut(entry.name) ? [] : filesIn(directory, path)
      return entry.isFile() ? [path] : []
    })
}

/** No source file is as large; of data it is enough to know that it was not touched. */
const LARGE_BYTES = 1_000_000

const contentOf = (file: string): Buffer | string => {
  const { size, mtimeMs } = statSync(file)
  return size > LARGE_BYTES ? `${size} ${mtimeMs}` : readFileSync(file)
}
