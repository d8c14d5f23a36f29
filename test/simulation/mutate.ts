import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { EQUIVALENT } from './mutants/equivalent.ts'
import { MUTANTS } from './mutants.ts'

/** Loaded first (`node --import`), it changes the text of the modules that the chosen mutant names. */
const chosen = [...MUTANTS, ...EQUIVALENT].find(({ name }) => name === process.env.HOOKLATCH_MUTANT)
if (!chosen) throw new Error(`there is no mutant "${process.env.HOOKLATCH_MUTANT}"`)

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.startsWith('file:')) return loaded
    const file = fileURLToPath(url)
    const patches = chosen.patches.filter(patch => file.endsWith(patch.file))
    if (patches.length === 0) return loaded
    return { ...loaded, source: patches.reduce(patched, String(loaded.source)) }
  },
})

const patched = (source: string, { file, find, put }: { file: string; find: string; put: string }): string => {
  if (!source.includes(find))
    throw new Error(`${file} no longer says "${find}": the mutant "${chosen.name}" has to be written anew`)
  return source.replace(find, () => put)
}
