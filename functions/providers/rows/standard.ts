import type { Provider } from '../../domain/provider.ts'
import type { HmacScheme } from '../../domain/scheme.ts'

/** https://www.standardwebhooks.com, with the header names of the sender's brand. */
const standardScheme = (families: readonly [string, ...string[]]) =>
  ({
    kind: 'hmac',
    hash: 'sha256',
    sig: {
      in: 'header',
      name: `${families[0]}signature`,
      layout: 'list',
      listSep: ' ',
      itemSep: ',',
      versions: ['v1'],
      encoding: 'base64',
      many: true,
    },
    signed: `{header:${families[0]}id}.{ts}.{body}`,
    key: { encoding: 'base64', stripPrefixes: ['whsec_'] },
    publicKeys: { prefix: 'whpk_', versions: ['v1a'] },
    ts: { in: 'header', name: `${families[0]}timestamp`, unit: 's', toleranceSeconds: 300 },
    families,
  }) satisfies HmacScheme

export const standardRows = {
  'standard-webhooks': {
    id: 'standard-webhooks',
    name: 'Standard Webhooks',
    scheme: standardScheme(['webhook-']),
    identity: { kind: 'id', id: ['header:webhook-id'] },
    type: ['json:type'],
    retry: { windowSeconds: 272_105 },
    replayWindowSeconds: 432_000,
    docs: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  },
  svix: {
    id: 'svix',
    name: 'Svix',
    scheme: standardScheme(['svix-', 'webhook-']),
    identity: { kind: 'id', id: ['header:svix-id', 'header:webhook-id'] },
    type: ['json:type'],
    retry: { windowSeconds: 99_305 },
    replayWindowSeconds: 604_800,
    docs: 'https://docs.svix.com/receiving/verifying-payloads/how-manual',
  },
} satisfies Record<string, Provider>
