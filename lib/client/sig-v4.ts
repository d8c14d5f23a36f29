import type { Credentials } from '../../functions/adapters/lean/credentials.ts'
import { sign } from '../../functions/adapters/lean/sign.ts'
import type { PublisherOptions } from './publisher.ts'

export interface SigV4Options {
  readonly region: string
  /** Asked for each try, since those of a role change. */
  readonly credentials: Credentials | (() => Promise<Credentials>)
  readonly now?: () => Date
}

/** Signs requests to an API Gateway with AWS credentials. */
export const sigV4 =
  ({ region, credentials, now = () => new Date() }: SigV4Options): PublisherOptions['sign'] =>
  async ({ method, url, headers, body }) => {
    const canonical = {
      method,
      host: url.host,
      path: url.pathname.split('/').map(encoded).join('/'),
      query: canonicalQuery(url.searchParams),
      headers: each(headers, value => value.trim().replace(/\s+/g, ' ')),
      body,
    }
    const who = typeof credentials === 'function' ? await credentials() : credentials
    // What is signed has fewer spaces than what is sent.
    return {
      ...sign(canonical, { service: 'execute-api', region }, who, now().getTime()),
      ...each(headers, value => value),
    }
  }

const each = (headers: Readonly<Record<string, string>>, change: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), change(value)]))

const canonicalQuery = (parameters: URLSearchParams): string =>
  [...parameters]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')

/** RFC 3986: encodeURIComponent leaves five more characters alone. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
