import type { Credentials } from '../../functions/adapters/lean/credentials.ts'
import { sign } from '../../functions/adapters/lean/sign.ts'
import type { PublisherOptions } from './publisher.ts'

export interface SigV4Options {
  readonly region: string
  /** Asked for each try, since those of a role change. */
  readonly credentials: Credentials | (() => Promise<Credentials>)
  readonly now?: () => Date
}

/** Signs requests to an API Gateway, or to a function URL, with AWS credentials. */
export const sigV4 =
  ({ region, credentials, now = () => new Date() }: SigV4Options): PublisherOptions['sign'] =>
  async ({ method, url, headers, body }) => {
    const canonical = {
      method,
      host: url.host,
      path: url.pathname.split('/').map(encoded).join('/'),
      query: canonicalQuery(url.searchParams),
      headers: renamed(headers, value => value.trim().replace(/\s+/g, ' ')),
      body,
    }
    const who = typeof credentials === 'function' ? await credentials() : credentials
    const signed = sign(canonical, { service: serviceOf(url), region }, who, now().getTime())
    // What is signed has fewer spaces than what is sent; what the signature itself needs is not the caller's to say.
    const asGiven = Object.entries(renamed(headers, value => value)).filter(
      ([name]) => signed[name] === canonical.headers[name],
    )
    return { ...signed, ...Object.fromEntries(asGiven) }
  }

const serviceOf = ({ hostname }: URL): string => (FUNCTION_URL.test(hostname) ? 'lambda' : 'execute-api')

const FUNCTION_URL = /\.lambda-url\.[a-z0-9-]+\.on\.aws$/

/** In lower case, and without what the signature takes the place of. */
const renamed = (headers: Readonly<Record<string, string>>, change: (value: string) => string) =>
  Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), change(value)] as const)
      .filter(([name]) => name !== 'authorization'),
  )

const canonicalQuery = (parameters: URLSearchParams): string =>
  [...parameters]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&')

/** RFC 3986: encodeURIComponent leaves five more characters alone. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
