import type { ApiAnswer } from '../domain/api-answer.ts'
import { endpointsAt } from './endpoints.ts'
import type { Account } from './find-api.ts'
import type { OpenApi } from './open-api.ts'
import { readText } from './read-path.ts'
import type { SenderApi } from './sender-api.ts'

export type HookAnswer =
  | { readonly kind: 'hook'; readonly hook: string | null }
  | Exclude<ApiAnswer, { kind: 'answered' }>

/** Which of the sender's endpoints is ours, if its list is one for each of them. */
export const findHook = async (api: OpenApi, row: SenderApi, account: Account, url: string): Promise<HookAnswer> => {
  const wanted = row.ledger?.hook
  if (wanted === undefined) return { kind: 'hook', hook: null }
  if (account.hook !== null) return { kind: 'hook', hook: account.hook }
  return wanted === 'registered' ? registeredAt(api, row, url) : toldByDelivery(api, wanted)
}

const registeredAt = async (api: OpenApi, { registration }: SenderApi, url: string): Promise<HookAnswer> => {
  if (!registration) return { kind: 'refused', why: 'The row has no list of endpoints' }
  const found = await endpointsAt(api, registration, url)
  if (found.kind !== 'found') return found
  const [ours] = found.endpoints
  if (ours) return { kind: 'hook', hook: ours.id }
  return {
    kind: 'refused',
    why: `The sender has no endpoint with the URL ${url}. If it calls us by another one, say which endpoint it is: its id follows the account, as in acme/shop#4711`,
  }
}

type Told = Exclude<NonNullable<SenderApi['ledger']>['hook'], 'registered' | undefined>

/** Any delivery names it. */
const toldByDelivery = async (api: OpenApi, { item, whole, at }: Told): Promise<HookAnswer> => {
  const list = await api.call(item, {})
  if (list.kind !== 'answered') return list
  const id = readText(list.json, item.at)
  // An empty list needs no hook.
  if (id === undefined) return { kind: 'hook', hook: null }
  const delivery = await api.call(whole, { item: id })
  if (delivery.kind !== 'answered') return delivery
  return { kind: 'hook', hook: readText(delivery.json, at) ?? null }
}
