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
