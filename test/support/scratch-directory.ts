import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Gone when the test is over. */
export const scratchDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
