import type { Provider } from '../../functions/domain/provider.ts'
import type { SourceConfig } from '../../functions/domain/source.ts'
import { requiredConfig } from '../../functions/providers/validate-sources.ts'

/** The least that sources.ts has to say to use a provider. */
export const exampleSource = (provider: Provider): SourceConfig => {
  const config = Object.fromEntries(
    requiredConfig(provider).map(name => [name, provider.config?.[name]?.example ?? `your-${name}`]),
  )
  return {
    provider: provider.id,
    ...(provider.scheme.kind === 'none' && { unsigned: true }),
    ...(Object.keys(config).length > 0 && { config }),
  }
}

/** A value of a source file, as a person would write it. */
export const literal = (value: unknown): string => {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{ ${Object.entries(value)
    .map(([name, each]) => `${asKey(name)}: ${literal(each)}`)
    .join(', ')} }`
}

export const asKey = (name: string): string => (/^[a-z_$][\w$]*$/i.test(name) ? name : `'${name}'`)
