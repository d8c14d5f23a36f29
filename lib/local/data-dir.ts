import { randomBytes } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FINGERPRINT_KEY_FILE, makePrivate } from '../connect/private-directory.ts'
import { processRuns } from '../connect/process-runs.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'

export interface DataDir {
  readonly fingerprintKey: string
  release(): void
}

/** Takes a directory for this process alone: two local instances on one store would each believe they are the only one. */
export const takeDataDir = (directory: string): DataDir | Refusal => {
  // The name that version 0.1 gave it: an older instance on the same directory has to be seen.
  const lock = join(directory, 'desk.pid')
  try {
    makePrivate(directory)
    const owner = Number(readIfThere(lock) ?? Number.NaN)
    if (Number.isInteger(owner) && owner !== process.pid && processRuns(owner)) {
      return refuse(
        `${directory} is in use by another hooklatch (process ${owner}): stop it, or choose another --data.`,
      )
    }
    writeFileSync(lock, String(process.pid))
    return { fingerprintKey: keptKey(directory), release: () => rmSync(lock, { force: true }) }
  } catch (error) {
    return refuse(`--data ${directory} cannot be used: ${(error as Error).message}.`)
  }
}

/** Made once and kept as long as the events: another key would forget every one of them. */
const keptKey = (directory: string): string => {
  const file = join(directory, FINGERPRINT_KEY_FILE)
  const kept = readIfThere(file)
  if (kept) return kept
  const key = randomBytes(32).toString('hex')
  writeFileSync(file, key, { mode: 0o600 })
  return key
}

const readIfThere = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
