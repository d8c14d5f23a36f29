import type { CustomConfig, Sources } from 'hooklatch/providers'

export default {
  stripe: { provider: 'stripe' },
  github: { provider: 'github', guard: 'body' },
  acme: {
    provider: 'custom',
    config: { scheme: { kind: 'token', header: 'x-acme-token' }, id: 'json:id' } satisfies CustomConfig,
  },
} satisfies Sources
