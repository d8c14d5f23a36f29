import { readFileSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { transformSync } from 'esbuild'

/** The names that stand twice in one object of these files. What is loaded from them has only the second, and says nothing of the first. */
export const namesTwice = (files: readonly string[]): readonly string[] =>
  files.flatMap(file => twiceIn(file).map(each => `${basename(file)}: found ${each}, expected each name once`))

/** Many receivers of one process have one file. */
const known = new Map<string, readonly string[]>()

/** A file that is missing, or that cannot be read, is the mistake of another rule. */
const twiceIn = (file: string): readonly string[] => {
  try {
    const text = readFileSync(file, 'utf8')
    const found = known.get(text) ?? duplicates(text, file)
    known.set(text, found)
    return found
  } catch {
    return []
  }
}

const duplicates = (text: string, file: string): readonly string[] => {
  const { warnings } = transformSync(text, { loader: extname(file) === '.json' ? 'json' : 'ts', logLevel: 'silent' })
  return warnings
    .filter(({ id }) => id === 'duplicate-object-key')
    .map(({ text: says, location }) => `${/"(?:[^"\\]|\\.)*"/.exec(says)?.[0]} a second time in line ${location?.line}`)
}
