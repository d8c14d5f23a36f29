import type { Source } from '../../functions/domain/source.ts'
import type { CompareOrder } from '../../functions/operate/compare-sent.ts'
import { findApi } from '../../functions/senders/find-api.ts'
import { type ApiKey, apiOrigin, noApiKey } from './api-keys.ts'
import type { Connection } from './connection.ts'
import { isRefusal, type Refusal, refuse } from './refusal.ts'

interface ApiAsked {
  readonly key: ApiKey | undefined
  readonly apiUrl: string | undefined
  readonly account?: string | undefined
  readonly rate?: number | undefined
}

/** With which key, and where: an account or a host of the command line is for a laptop, a stack has its own. */
export const apiFor = (
  connection: Connection,
  source: Source,
  { key, apiUrl, account, rate }: ApiAsked,
): Pick<CompareOrder, 'apiKey' | 'origin' | 'account' | 'url' | 'rate'> | Refusal => {
  if (connection.kind === 'aws' && (apiUrl !== undefined || account !== undefined)) {
    return refuse(
      '--api-url and --account are for the local instance: a stack has the account that is in its sources.ts.',
      2,
    )
  }
  const found = findApi(source.provider.id, account ?? source.account)
  if (found.kind === 'found' && key === undefined) return noApiKey(source, found.api.rights.list ?? 'read access')
  const origin = key && apiOrigin(apiUrl, key)
  if (isRefusal(origin)) return origin
  return {
    apiKey: key?.key ?? 'none',
    origin,
    account,
    url: source.publicUrl ?? connection.urlOf(source.name) ?? 'not deployed',
    rate: rate ?? (found.kind === 'found' ? found.api.rate : 1),
  }
}
