import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Puts the tarball's package.json in the place of the repository's, until npm has packed. If npm ends before it has called postpack
 * (a full disk, a wrong --pack-destination, a kill), a process that watches it puts the repository's back.
 */
export const swapManifest = (root: string, packed: object, npm: number): void => {
  const text = `${JSON.stringify(packed, null, 2)}\n`
  copyFileSync(manifestIn(root), keptIn(root))
  try {
    writeFileSync(manifestIn(root), text)
  } catch (error) {
    restoreManifest(root)
    throw error
  }
  // Where the shell knows no $PPID, the next prepack puts it back.
  if (!Number.isInteger(npm)) return
  const args = [import.meta.filename, root, String(npm)]
  spawn(process.execPath, args, { detached: true, stdio: 'ignore' }).unref()
}

/** The repository's own, if a pack is under way or has broken off. */
export const restoreManifest = (root: string): void => {
  if (existsSync(keptIn(root))) renameSync(keptIn(root), manifestIn(root))
}

const manifestIn = (root: string): string => join(root, 'package.json')
const keptIn = (root: string): string => join(root, 'dist.package.json')

const watch = async (root: string, npm: number): Promise<void> => {
  while (existsSync(keptIn(root)) && isRunning(npm)) await new Promise(resolve => setTimeout(resolve, 100))
  restoreManifest(root)
}

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

if (import.meta.main) await watch(String(process.argv[2]), Number(process.argv[3]))
