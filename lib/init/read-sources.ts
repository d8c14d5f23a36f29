import { providers } from '../../functions/providers/catalogue.ts'
import { suggest } from '../../functions/providers/suggest.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'
import { exampleSource } from '../sender/example-source.ts'
import type { AppRequest } from './app-files.ts'

/** The sources of a new app from `stripe,github`: each is called like its provider. Every name that is not one, in one refusal. */
export const readSources = (text: string): AppRequest['sources'] | Refusal => {
  const names = [...new Set(text.split(',').map(name => name.trim()))].filter(name => name !== '')
  const known = names.filter(name => Object.hasOwn(providers, name))
  const unknown = names.filter(name => !known.includes(name))
  if (unknown.length > 0) {
    const all = Object.keys(providers)
    const sentences = unknown.map(name => `There is no provider "${name}"${suggest(name, all)}`)
    return refuse(
      [...sentences, 'A sender that is not listed by `npx hooklatch providers` is added to sources.ts later.'].join(
        '\n',
      ),
      2,
    )
  }
  if (known.length === 0) return refuse('--sources names no provider: expected such as stripe,github.', 2)
  return Object.fromEntries(
    known.flatMap(name => {
      const provider = providers[name]
      return provider ? [[name, exampleSource(provider)]] : []
    }),
  )
}
