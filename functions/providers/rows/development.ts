import type { Provider } from '../../domain/provider.ts'

export const developmentRows = {
  github: {
    id: 'github',
    name: 'GitHub',
    scheme: {
      kind: 'hmac',
      hash: 'sha256',
      sig: { in: 'header', name: 'x-hub-signature-256', layout: 'prefix', prefix: 'sha256=', encoding: 'hex' },
      signed: '{body}',
      key: { encoding: 'utf8' },
    },
    /** A repository's, an organisation's and an app's hook each send their own delivery. */
    identity: { kind: 'id', id: ['header:x-github-delivery'], scope: ['header:x-github-hook-id'] },
    type: ['header:x-github-event'],
    keepHeaders: ['x-github-hook-installation-target-id', 'x-github-hook-installation-target-type'],
    retry: { windowSeconds: 0 },
    replayWindowSeconds: 345_600,
    docs: 'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries',
  },
  gitlab: {
    id: 'gitlab',
    name: 'GitLab',
    scheme: { kind: 'token', token: { in: 'header', name: 'x-gitlab-token' }, key: { encoding: 'utf8' } },
    identity: { kind: 'id', id: ['header:idempotency-key'] },
    type: ['header:x-gitlab-event', 'json:object_kind'],
    keepHeaders: ['x-gitlab-instance', 'x-gitlab-event-uuid'],
    /** Four answers of 4xx in a row disable the hook for good. */
    retry: { windowSeconds: null, givesUpOn4xx: true },
    replayWindowSeconds: 345_600,
    docs: 'https://docs.gitlab.com/user/project/integrations/webhooks/',
  },
} satisfies Record<string, Provider>
