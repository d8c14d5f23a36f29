import { isExperimental } from '../../../functions/domain/provider.ts'
import type { Source } from '../../../functions/domain/source.ts'
import { capturedRisk } from '../../catalogue/coverage-words.ts'
import { spanText } from '../../catalogue/span-words.ts'
import type { SecretState } from '../../operator/list-secrets.ts'

/** A source as it is configured, and as it is deployed. */
export interface SourceView {
  readonly name: string
  readonly provider: string | null
  readonly url: string | null
  /** `not-deployed`: only in the file. `not-configured`: deployed, and in the file no more. */
  readonly state: 'live' | 'not-deployed' | 'not-configured'
  /** `unknown`: may not be read. */
  readonly secret: SecretState | 'unknown'
  /** How long bodies are kept for replay. */
  readonly retain: string | null
  /** How long an event is remembered at least. */
  readonly replayWindow: string | null
  readonly guard: 'body' | null
  /** Why a captured delivery could come back as a new event, and the line of sources.ts that stops it; null if it could not. */
  readonly capturedId: { readonly says: string; readonly stop: string | null } | null
  readonly ordering: string | null
  /** What makes two deliveries the same event. */
  readonly identity: string | null
  /** Anyone who knows its URL can post to it. */
  readonly unsigned: boolean
  readonly experimental: boolean
}

export const sourceView = (source: Source, url: string | undefined, secret: SourceView['secret']): SourceView => ({
  name: source.name,
  provider: source.provider.id,
  url: url ?? null,
  state: url === undefined ? 'not-deployed' : 'live',
  secret,
  retain: source.retain === 'none' ? 'none' : spanText(source.retain),
  replayWindow: spanText(source.memory),
  guard: source.guard ? 'body' : null,
  capturedId: capturedRisk(source),
  ordering: source.ordering?.key ?? null,
  identity: source.identity.kind,
  unsigned: source.scheme.kind === 'none' && source.publish === null,
  experimental: isExperimental(source.provider),
})

/** Deployed, and nothing more is known of it here. */
export const strangeSource = (name: string, url: string): SourceView => ({
  name,
  provider: null,
  url,
  state: 'not-configured',
  secret: 'unknown',
  retain: null,
  replayWindow: null,
  guard: null,
  capturedId: null,
  ordering: null,
  identity: null,
  unsigned: false,
  experimental: false,
})
