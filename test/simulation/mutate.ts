import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { Mutant, Patch } from './mutants/mutant.ts'

/**
 * Loaded first (`node --import`), it changes the text of the modules that the mutant names. It is told the whole mutant: the list of
 * them is made from the protocol, which must not be loaded before it is changed.
 */
const { name, patches }: Mutant = JSON.parse(process.env.HOOKLATCH_MUTANT ?? '')

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.startsWith('file:')) return loaded
    const file = fileURLToPath(url)
    const meant = patches.filter(patch => file.endsWith(patch.file))
    return meant.length === 0 ? loaded : { ...loaded, source: meant.reduce(patched, String(loaded.source)) }
  },
})

const patched = (source: string, patch: Patch): string => {
  if ('append' in patch) return `${source}${patch.append}`
  const { file, find, put } = patch
  if (!source.includes(find))
    throw new Error(`${file} no longer says "${find}": the mutant "${name}" has to be written anew`)
  return source.replace(find, () => put)
}
