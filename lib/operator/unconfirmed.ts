import { isExperimental } from '../../functions/domain/provider.ts'
import type { Source } from '../../functions/domain/source.ts'

/** What a person should know of a source whose provider has a row of low confidence; null if it has not. */
export const unconfirmed = ({ provider }: Source): string | null =>
  isExperimental(provider)
    ? `the facts on ${provider.name} are not confirmed (${(provider.uncertain ?? []).join(' ')}) Try a real delivery before you rely on it`
    : null
