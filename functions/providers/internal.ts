import type { Provider } from '../domain/provider.ts'
import type { SourceConfig } from '../domain/source.ts'

export const INTERNAL = 'internal'

const DAY_SECONDS = 86_400

/** Your own services, at `/publish/{source}`. Nothing is signed into the body: IAM has checked who calls, and their key names the event. */
export const internalProvider: Provider = {
  id: INTERNAL,
  name: 'Your own services',
  scheme: { kind: 'none' },
  identity: { kind: 'delivery' },
  type: ['json:type'],
  // A client that got no answer tries again: nobody was told that the event is safe before it was.
  retry: { windowSeconds: DAY_SECONDS },
  deadlineSeconds: null,
  replayWindowSeconds: DAY_SECONDS,
  confidence: 'high',
  docs: 'docs/publish.md',
}

export const ONLY_FOR_INTERNAL = ['allow'] as const satisfies readonly (keyof SourceConfig)[]

export const NOT_FOR_INTERNAL = [
  'identity',
  'guard',
  'publicUrl',
  'unsigned',
  'tolerance',
  'resend',
  'inFlight',
  'reconcile',
  'config',
] as const satisfies readonly (keyof SourceConfig)[]
