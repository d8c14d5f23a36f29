import type { Endpoint } from '../domain/coded.ts'
import type { Delivery } from '../domain/delivery.ts'

/**
 * The URL the sender called, character by character: `new URL` would re-encode what was signed. Behind a proxy only
 * `publicUrl` knows it; the query is the request's own unless `publicUrl` has one.
 */
export const signedUrl = ({ publicUrl }: Endpoint, { url }: Delivery): string => {
  if (publicUrl === null) return withoutFragment(url)
  const configured = withoutFragment(publicUrl)
  const query = queryStart(url)
  return configured.includes('?') ? configured : configured + withoutFragment(url).slice(query)
}

export const signedPath = (source: Endpoint, delivery: Delivery): string => {
  const [, path] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?]*)/i.exec(signedUrl(source, delivery)) ?? []
  return path || '/'
}

/** HubSpot signs these characters as themselves, however the URL was sent. */
export const decodedUrl = (url: string): string =>
  url.replace(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi, escaped => decodeURIComponent(escaped))

export const queryOf = (url: string): URLSearchParams =>
  new URLSearchParams(withoutFragment(url).slice(queryStart(url)))

/** At the first question mark: a second one is part of the query. */
export const splitQuery = (url: string): readonly [before: string, query: string] => {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}

const queryStart = (url: string): number => {
  const at = withoutFragment(url).indexOf('?')
  return at < 0 ? url.length : at
}

const withoutFragment = (url: string): string => url.split('#', 1)[0] ?? ''
