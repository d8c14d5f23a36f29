import type { IncomingHttpHeaders } from 'node:http'
import { Secret } from '../../functions/domain/secret.ts'
import type { ProblemType } from './problem.ts'

/** What a caller has to show: the names it answers to and the token of this run. */
export interface Access {
  /** `127.0.0.1:4100` and `localhost:4100`. */
  readonly hosts: readonly string[]
  readonly token: string
}

export interface Caller {
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly query: URLSearchParams
}

/**
 * A page of another site can make a browser call us, under our address or under a name of its own that it points at
 * 127.0.0.1. The first shows in Origin and Sec-Fetch-Site, the second in Host; neither can know the token.
 */
export const foreignCall = ({ hosts }: Access, { headers }: Caller): ProblemType | undefined => {
  const { host = '', origin } = headers
  if (!hosts.includes(host.toLowerCase())) return 'host'
  if (origin !== undefined && !hosts.some(each => origin === `http://${each}`)) return 'origin'
  const site = headers['sec-fetch-site']
  return site === 'cross-site' || site === 'same-site' ? 'origin' : undefined
}

/** In a header, as the page sends it, or in the query, as the URL that was printed has it. Never in a cookie. */
export const hasToken = ({ token }: Access, { headers, query }: Caller): boolean => {
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  const offered = bearer ?? query.get('token')
  return typeof offered === 'string' && new Secret(token).equals(offered)
}
