import { existsSync, readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Source, Sources } from '../../functions/domain/source.ts'
import { resolveSources, validateSources } from '../../functions/providers/sources.ts'
import { type Refusal, refuse } from './refusal.ts'

/** A TypeScript or JavaScript module's default export, or a JSON file; every mistake in one refusal. */
export const loadSources = async (file: string): Promise<ReadonlyMap<string, Source> | Refusal> => {
  if (!existsSync(file)) return refuse(`The source file ${file} does not exist.`)
  let loaded: unknown
  try {
    loaded = await load(file)
  } catch (error) {
    return refuse(`The source file ${file} cannot be read: ${(error as Error).message}`)
  }
  const mistakes = validateSources(loaded)
  if (mistakes.length === 0) return resolveSources(loaded as Sources)
  const count = mistakes.length === 1 ? 'one mistake' : `${mistakes.length} mistakes`
  return refuse([`The source file ${file} has ${count}:`, ...mistakes.map(mistake => `- ${mistake}`)].join('\n'))
}

const load = async (file: string): Promise<unknown> => {
  if (extname(file) === '.json') return JSON.parse(readFileSync(file, 'utf8'))
  const module = await import(pathToFileURL(file).href)
  if (!('default' in module)) throw new TypeError('it has no default export.')
  return module.default
}
