import { publishPath, webhookPath } from '../../functions/contract/routes.ts'
import type { Source } from '../../functions/domain/source.ts'

/** A line for each source: its name and where to post. */
export const sourceUrls = (url: string, sources: ReadonlyMap<string, Source>): readonly string[] => {
  const width = Math.max(0, ...[...sources.keys()].map(source => source.length))
  return [...sources.values()].map(
    ({ name, publish }) => `${name.padEnd(width)}  POST ${url}${publish ? publishPath(name) : webhookPath(name)}`,
  )
}
