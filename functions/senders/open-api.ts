import type { ApiAnswer, Http, HttpRequest } from '../domain/api-answer.ts'
import { causeOf } from '../domain/fault.ts'
import type { Secret } from '../domain/secret.ts'
import { fillJson, fillPairs, fillText, type Values } from './fill.ts'
import type { Account } from './find-api.ts'
import { judgeAnswer, refused } from './judge-answer.ts'
import { readText } from './read-path.ts'
import type { Call, SenderApi } from './sender-api.ts'

export interface ApiOptions {
  readonly api: SenderApi
  readonly account: Account
  readonly key: Secret
  readonly http: Http
  /** For tests: instead of the row's. */
  readonly origin?: string | undefined
  /** For sentences. */
  readonly sender: string
  readonly rights: string
  /** Waits until the next call may be made. */
  readonly pace: () => Promise<void>
}

export interface OpenApi {
  /** `search`: the query of a further page, in place of the row's. */
  call(call: Call, values: Values, search?: string): Promise<ApiAnswer>
}

/** A sender's API with its key in hand. The key goes to the row's host and to no other. */
export const openApi = (options: ApiOptions): OpenApi => {
  const { api, account, origin = originOf(options) } = options
  let token: string | undefined

  const send = async ({ url, ...request }: Omit<HttpRequest, 'url'> & { readonly url: URL }): Promise<ApiAnswer> => {
    const own = await authorize()
    if (own.kind !== 'authorized') return own
    return exchange(options, { ...request, url: url.href, headers: { ...request.headers, ...own.headers } })
  }

  const authorize = async (): Promise<Authorized | Exclude<ApiAnswer, { kind: 'answered' }>> => {
    const { auth } = api
    if (auth.kind !== 'client') return { kind: 'authorized', headers: credentials(auth, options.key) }
    if (token === undefined) {
      const bought = await exchange(options, {
        method: 'POST',
        url: new URL(auth.path, origin).href,
        headers: { ...FORM, authorization: `Basic ${Buffer.from(options.key.reveal()).toString('base64')}` },
        body: String(new URLSearchParams(auth.form)),
      })
      if (bought.kind !== 'answered') return bought
      token = readText(bought.json, 'access_token')
      if (token === undefined) return refused(options, 'gave no access token for the key')
    }
    return { kind: 'authorized', headers: { authorization: `Bearer ${token}` } }
  }

  return {
    async call(call, given, search) {
      const values = { account: accountIn(api, account), ...given }
      const path = fillText(call.path, values, value => (value === values.account ? value : encodeURIComponent(value)))
      if (path === undefined) return refused(options, `cannot be asked: ${call.path} needs more than is known`)
      const url = new URL(path, origin)
      url.search = search ?? searchOf(call.query ?? {}, values)
      return send({ method: call.method ?? 'GET', url, ...contentOf(call, values) })
    },
  }
}

interface Authorized {
  readonly kind: 'authorized'
  readonly headers: Readonly<Record<string, string>>
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' } as const

const contentOf = (call: Call, values: Values): Pick<HttpRequest, 'headers' | 'body'> => {
  if (call.form) return { headers: FORM, body: searchOf(call.form, values) }
  if (call.json === undefined) return { headers: {} }
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(fillJson(call.json, values)) }
}

const searchOf = (templates: Readonly<Record<string, string>>, values: Values): string => {
  const search = new URLSearchParams()
  for (const [name, value] of fillPairs(templates, values)) search.append(name, value)
  return String(search)
}

const accountIn = ({ account: field }: SenderApi, { name }: Account): string | undefined =>
  name === null ? undefined : field?.encoded ? encodeURIComponent(name) : name

const originOf = ({ api, account, key }: ApiOptions): string => {
  const { sandbox } = api
  const isSandbox = account.name === 'sandbox' || (sandbox?.keys !== undefined && key.reveal().startsWith(sandbox.keys))
  const origin = sandbox && isSandbox ? sandbox.origin : api.origin
  return origin.replace('{account}', account.name ?? '')
}

const credentials = (
  auth: Exclude<SenderApi['auth'], { kind: 'client' }>,
  key: Secret,
): Readonly<Record<string, string>> => {
  const text = key.reveal()
  switch (auth.kind) {
    case 'bearer':
      return { authorization: `Bearer ${text}` }
    case 'scheme':
      return { authorization: `${auth.name} ${text}` }
    case 'header':
      return { [auth.name]: text }
    case 'user':
      return { authorization: `Basic ${Buffer.from(`${text}:`).toString('base64')}` }
  }
}

const exchange = async (options: ApiOptions, request: HttpRequest): Promise<ApiAnswer> => {
  await options.pace()
  const headers = { accept: 'application/json', 'user-agent': 'hooklatch', ...options.api.headers, ...request.headers }
  try {
    return judgeAnswer(options, await options.http({ ...request, headers }))
  } catch (error) {
    return { kind: 'unavailable', cause: `${options.sender}'s API did not answer (${causeOf(error)})` }
  }
}
