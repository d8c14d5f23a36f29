import { existsSync, readFileSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Destinations } from '../../functions/domain/destinations.ts'
import type { Source, Sources } from '../../functions/domain/source.ts'
import { providers } from '../../functions/providers/catalogue.ts'
import { resolveSources, validateSources } from '../../functions/providers/sources.ts'
import { scheduleMistakes } from '../../functions/senders/check-schedule.ts'
import { isRefusal, type Refusal, refuse } from './refusal.ts'
import { whatAndWhere } from './what-and-where.ts'

export interface Loaded {
  readonly sources: ReadonlyMap<string, Source>
  readonly destinations: Destinations
}

/** The sources of a file: a TypeScript or JavaScript module's default export, or JSON; every mistake in one refusal. */
export const loadSources = async (file: string): Promise<Loaded['sources'] | Refusal> => {
  const both = await loadBoth(file)
  return isRefusal(both) ? both : both.sources
}

/** The same with the destinations of the file `destinations` beside it, if there is one. `checkText` finds mistakes that the data does not show. */
export const loadBoth = async (
  file: string,
  checkText: (files: readonly string[]) => readonly string[] = () => [],
): Promise<Loaded | Refusal> => {
  if (!existsSync(file)) return refuse(`The source file ${file} does not exist.`)
  const sources = await load(file, 'source file')
  if (isRefusal(sources)) return sources
  const beside = destinationsBeside(file)
  const loaded = beside === undefined ? { read: {} } : await load(beside, 'file of destinations')
  if (isRefusal(loaded)) return loaded
  const mistakes = [
    ...validateSources(sources.read, providers, loaded.read),
    ...checkText([file, ...(beside === undefined ? [] : [beside])]),
  ]
  if (mistakes.length > 0) return refuse(sentence(mistakes, file, beside))
  const destinations = loaded.read as Destinations
  const resolved = resolveSources(sources.read as Sources, providers, destinations)
  const unscheduled = scheduleMistakes(resolved)
  if (unscheduled.length > 0) return refuse(sentence(unscheduled, file, beside))
  return { sources: resolved, destinations }
}

/** Of the same kind as the sources, if there are several. */
const destinationsBeside = (file: string): string | undefined =>
  [extname(file), '.ts', '.js', '.mjs', '.json']
    .map(extension => join(dirname(file), `destinations${extension}`))
    .find(each => existsSync(each))

const sentence = (mistakes: readonly string[], file: string, beside: string | undefined): string => {
  const count = mistakes.length === 1 ? 'one mistake' : `${mistakes.length} mistakes`
  const files = beside === undefined ? `The source file ${file} has` : `The files ${file} and ${beside} have`
  return [`${files} ${count}:`, ...mistakes.map(mistake => `- ${mistake}`)].join('\n')
}

const load = async (file: string, what: string): Promise<{ readonly read: unknown } | Refusal> => {
  try {
    if (extname(file) === '.json') return { read: JSON.parse(readFileSync(file, 'utf8')) }
    const module = await import(pathToFileURL(file).href)
    if (!('default' in module)) throw new TypeError('it has no default export.')
    return { read: module.default }
  } catch (error) {
    return refuse(`The ${what} ${file} cannot be read: ${whatAndWhere(error, file)}`)
  }
}
