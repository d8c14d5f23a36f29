import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type Zippable, zipSync } from 'fflate'

/** The same bytes for the same files, whenever and wherever they are packed. */
export const zipDirectory = (directory: string): Uint8Array => {
  const files: Zippable = {}
  for (const path of readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const file = join(directory, path)
    const stat = statSync(file)
    if (!stat.isFile()) continue
    files[relative(directory, file).replaceAll(sep, '/')] = [readFileSync(file), { attrs: modeOf(stat.mode) }]
  }
  return zipSync(files, { level: 9, os: UNIX, mtime: EARLIEST })
}

const UNIX = 3

/** Of a zip file; it has no time zone, so it is built from local parts. */
const EARLIEST = new Date(1980, 0, 1)

/** Lambda runs as another user: everybody may read. */
const modeOf = (mode: number): number => (mode & 0o100 ? 0o100755 : 0o100644) * 0x10000
