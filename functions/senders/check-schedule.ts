import { durationSeconds } from '../domain/duration.ts'
import type { Source } from '../domain/source.ts'
import { findApi } from './find-api.ts'
import type { Ledger } from './sender-api.ts'

/** Why a source cannot be reconciled by itself, one sentence for each mistake. */
export const scheduleMistakes = (sources: ReadonlyMap<string, Source>): readonly string[] =>
  [...sources.values()].flatMap(source => {
    const why = source.reconcile && whyNotBySchedule(source, source.reconcile.back)
    return why === undefined ? [] : [`${source.name}.reconcile: ${why}`]
  })

const whyNotBySchedule = (source: Source, back: number): string | undefined => {
  const { provider, account } = source
  const found = findApi(provider.id, account)
  if (found.kind === 'mistaken') return `found no account, expected \`account\` to say ${found.says}`
  const ledger = found.kind === 'found' ? found.api.ledger : undefined
  if (!ledger) return `found the provider ${provider.id}, expected one with a list of what it sent: docs/reconcile.md`
  if (back > durationSeconds(ledger.back))
    return `found a \`back\` that is further than the list goes, expected ${ledger.back} at most`
  if (back > rememberedSeconds(source))
    return `found a \`back\` that is further than its events are remembered, expected ${Math.floor(rememberedSeconds(source) / DAY_SECONDS)}d at most, or a longer \`replayWindow\``
  return whyUnnamed(source, ledger)
}

const DAY_SECONDS = 86_400

/** What is older may have been handled and forgotten: it would seem to be missing, and be taken a second time. A day is for the comparison. */
export const rememberedSeconds = ({ memory }: Source): number => memory - DAY_SECONDS

/** An event is found again by its id, or by fields of its body: never by bytes, which an API writes in its own way. */
export const whyUnnamed = ({ name, identity, batch }: Source, ledger: Ledger): string | undefined => {
  if (batch !== null || identity.kind === 'id') return undefined
  if (identity.kind === 'business' && ledger.delivery.body !== null) return undefined
  return `The source "${name}" names its events by ${identity.kind === 'business' ? 'fields that the list does not have' : 'their bytes'}: nothing in the sender's list can be compared with that`
}
