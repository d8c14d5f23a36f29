import type { Http } from '../domain/api-answer.ts'
import { Secret } from '../domain/secret.ts'
import type { Source } from '../domain/source.ts'
import type { World } from '../domain/world.ts'
import { whyUnnamed } from '../senders/check-schedule.ts'
import { type Account, findApi } from '../senders/find-api.ts'
import { type OpenApi, openApi } from '../senders/open-api.ts'
import { paced } from '../senders/paced.ts'
import type { Ledger, SenderApi } from '../senders/sender-api.ts'

export interface OpenLedger {
  readonly kind: 'open'
  readonly source: Source
  readonly api: OpenApi
  readonly row: SenderApi
  readonly ledger: Ledger
  readonly account: Account
}

export interface LedgerOrder {
  readonly source: string
  readonly apiKey: string
  /** Calls a second. */
  readonly rate: number
  /** On a laptop: instead of the one in sources.ts. */
  readonly account?: string | undefined
  /** On a laptop, for tests: instead of the sender's host. */
  readonly origin?: string | undefined
}

export type LedgerRefusal = { readonly kind: 'refused'; readonly why: string }

/** The list of a source's sender, or why it has none for us. */
export const openLedger = (
  { sources, http, pause }: World<'sources' | 'pause'> & { readonly http: Http },
  order: LedgerOrder,
): OpenLedger | LedgerRefusal => {
  const source = sources.get(order.source)
  if (!source) return refused(`There is no source "${order.source}"`)
  // The bundle of a function has no names of providers.
  const sender = source.provider.name || source.provider.id
  const found = findApi(source.provider.id, order.account ?? source.account)
  if (found.kind === 'none')
    return refused(`${sender} has no list of what it sent: docs/reconcile.md says what to do instead`)
  if (found.kind === 'mistaken')
    return refused(
      `The source "${source.name}" has to name the account at ${sender}: ${found.says}. Set \`account\` in sources.ts, or --account`,
    )
  const { api: row, account } = found
  const { ledger } = row
  if (!ledger) return refused(`${sender} has no list of what it sent: docs/reconcile.md says what to do instead`)
  const unnamed = whyUnnamed(source, ledger)
  if (unnamed) return refused(unnamed)
  const api = openApi({
    api: row,
    account,
    key: new Secret(order.apiKey),
    http,
    origin: order.origin,
    sender,
    rights: row.rights.list ?? 'read access',
    pace: paced(order.rate, pause),
  })
  return { kind: 'open', source, api, row, ledger, account }
}

const refused = (why: string): LedgerRefusal => ({ kind: 'refused', why })
