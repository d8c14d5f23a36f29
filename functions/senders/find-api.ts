import { billingApis } from './rows/billing.ts'
import { commerceApis } from './rows/commerce.ts'
import { contentApis } from './rows/content.ts'
import { developmentApis } from './rows/development.ts'
import { identityApis } from './rows/identity.ts'
import { paymentsApis } from './rows/payments.ts'
import type { SenderApi } from './sender-api.ts'

/** Every row, by the id of its provider; one with several kinds of account has a row for each, `github app`. */
export const senderApis: Readonly<Record<string, SenderApi>> = {
  ...paymentsApis,
  ...billingApis,
  ...developmentApis,
  ...contentApis,
  ...identityApis,
  ...commerceApis,
}

/** All rows of a provider. */
export const apisOf = (provider: string): readonly SenderApi[] =>
  Object.entries(senderApis).flatMap(([name, api]) =>
    name === provider || name.startsWith(`${provider} `) ? [api] : [],
  )

export interface Account {
  readonly name: string | null
  /** `acme/shop#4711`: which of its hooks is ours, if its URL does not tell. */
  readonly hook: string | null
}

export type Found =
  | { readonly kind: 'found'; readonly api: SenderApi; readonly account: Account }
  | { readonly kind: 'none' }
  | { readonly kind: 'mistaken'; readonly says: string }

/** The row for an account of a provider, or what is wrong with the account. */
export const findApi = (provider: string, given: string | undefined): Found => {
  const rows = apisOf(provider)
  if (rows.length === 0) return { kind: 'none' }
  const account = accountOf(given)
  const api = rows.find(row => takes(row, account.name))
  if (api) return { kind: 'found', api, account }
  const wanted = rows.flatMap(row => (row.account ? [`${row.account.says}, such as ${row.account.example}`] : []))
  return { kind: 'mistaken', says: wanted.length === 0 ? 'no account is needed' : wanted.join('; or ') }
}

const accountOf = (given: string | undefined): Account => {
  const [name = '', hook = ''] = (given ?? '').split('#', 2)
  return { name: name || null, hook: hook || null }
}

const takes = ({ account }: SenderApi, name: string | null): boolean =>
  name === null
    ? account === undefined || account.required === false
    : account !== undefined && new RegExp(account.pattern).test(name)
