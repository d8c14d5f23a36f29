import type { Provider } from '../../functions/domain/provider.ts'
import type { SourceConfig } from '../../functions/domain/source.ts'
import { requiredConfig } from '../../functions/providers/validate-sources.ts'

/** The least that sources.ts has to say to use a provider. */
export const exampleSource = (provider: Provider): SourceConfig => {
  const config = Object.fromEntries(requiredConfig(provider).map(name => [name, EXAMPLES[name] ?? `your-${name}`]))
  return {
    provider: provider.id,
    ...(provider.scheme.kind === 'none' && { unsigned: true }),
    ...(Object.keys(config).length > 0 && { config }),
  }
}

const EXAMPLES: Readonly<Record<string, unknown>> = {
  topics: ['arn:aws:sns:eu-central-1:123456789012:orders'],
  audience: 'https://hooks.example.com/webhooks/google',
  service_account: 'pusher@acme.iam.gserviceaccount.com',
  webhook_id: '1JE4291016473214C',
}
