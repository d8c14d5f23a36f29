import type { AppRequest } from './app-request.ts'
import { projectFiles } from './project-files.ts'
import { readme } from './readme.ts'
import { sampleFor } from './sample.ts'
import { stackFile } from './stack-file.ts'

/** Every file of a new app, by its path. */
export const appFiles = ({ name, sources, hooklatch }: AppRequest): Readonly<Record<string, string>> => {
  const sample = sampleFor(sources)
  return {
    ...projectFiles(name, hooklatch),
    'sources.ts': sourcesFile(sources),
    'worker.ts': sample.worker,
    'worker.test.ts': sample.test,
    'app.ts': stackFile(sample),
    'README.md': readme(name, sample),
  }
}

const sourcesFile = (sources: AppRequest['sources']): string => `import type { Sources } from 'hooklatch/providers'

/** Who may post to you: each name is an endpoint, \`/webhooks/{name}\`. \`npx hooklatch providers\` lists the senders. */
export default {
${Object.entries(sources)
  .map(([name, source]) => `  ${asKey(name)}: ${literal(source)},`)
  .join('\n')}
} satisfies Sources
`

const asKey = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`)

/** As a person would write it. */
const literal = (value: unknown): string => {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${asKey(name)}: ${literal(each)}`)
    .join(', ')} }`
}
