import type { Sources } from '../../functions/domain/source.ts'
import { providers } from '../../functions/providers/catalogue.ts'
import { exampleSource } from '../../lib/sender/example-source.ts'

/** A source for every provider of the catalogue: the most that a receiver could be asked to know. */
export const oneSourceEach = (): Sources =>
  Object.fromEntries(Object.entries(providers).map(([id, provider]) => [id, exampleSource(provider)]))
