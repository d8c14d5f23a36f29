import { senderHttp } from '../../functions/adapters/sender-http.ts'
import { systemPause } from '../../functions/adapters/system.ts'
import { Secret } from '../../functions/domain/secret.ts'
import type { Source } from '../../functions/domain/source.ts'
import { findApi } from '../../functions/senders/find-api.ts'
import { type OpenApi, openApi } from '../../functions/senders/open-api.ts'
import { paced } from '../../functions/senders/paced.ts'
import type { Registration } from '../../functions/senders/sender-api.ts'
import { type ApiKey, apiKeyOf, apiOrigin, keyIfMeant, noApiKey } from './api-keys.ts'
import { isRefusal, type Refusal, refuse } from './refusal.ts'

export interface Sender {
  readonly api: OpenApi
  readonly registration: Registration
}

/** `none`: nothing of ours knows how to register an endpoint there. */
export const openSender = (
  source: Source,
  { account, apiUrl }: { readonly account: string | undefined; readonly apiUrl: string | undefined },
): Sender | 'none' | Refusal => {
  const { id, name } = source.provider
  const found = findApi(id, account ?? source.account)
  if (found.kind === 'none') return 'none'
  if (found.kind === 'mistaken') {
    return refuse(
      `Say which account at ${name} is meant: ${found.says}. Set \`account\` in sources.ts, or --account.`,
      2,
    )
  }
  const { registration } = found.api
  if (!registration) return 'none'
  const key = apiKeyOf(source.name)
  if (!key) return noApiKey(source, found.api.rights.connect ?? 'write access')
  return opened(source, found, key, apiUrl, registration)
}

/** The same for whoever looks at all sources. */
export const senderIfKnown = (source: Source, apiUrl: string | undefined): Sender | undefined => {
  const found = findApi(source.provider.id, source.account)
  const key = keyIfMeant(source, apiUrl)
  if (found.kind !== 'found' || !found.api.registration || !key) return undefined
  const sender = opened(source, found, key, apiUrl, found.api.registration)
  return isRefusal(sender) ? undefined : sender
}

const opened = (
  { provider }: Source,
  { api: row, account }: Extract<ReturnType<typeof findApi>, { kind: 'found' }>,
  key: ApiKey,
  apiUrl: string | undefined,
  registration: Registration,
): Sender | Refusal => {
  const origin = apiOrigin(apiUrl, key)
  if (isRefusal(origin)) return origin
  const api = openApi({
    api: row,
    account,
    key: new Secret(key.key),
    http: senderHttp,
    origin,
    sender: provider.name,
    rights: row.rights.connect ?? 'write access',
    pace: paced(row.rate, systemPause),
  })
  return { api, registration }
}
