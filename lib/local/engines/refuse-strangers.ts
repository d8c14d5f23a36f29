import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Why a request to an engine gets no answer, or nothing: it has to show the access key of this run, to a loopback address. */
export const strangerOf = (headers: IncomingHttpHeaders, accessKey: string): string | undefined => {
  // A web page that points its own name at this machine sends that name.
  if (!isLoopback(headers)) return 'This engine answers only to a loopback address.'
  const shown = /Credential=([^/,\s]+)\//.exec(headers.authorization ?? '')?.[1] ?? ''
  return isSame(shown, accessKey) ? undefined : 'This engine answers only who shows the access key of this run.'
}

export const isLoopback = ({ host = '' }: IncomingHttpHeaders): boolean => LOOPBACK.test(host)

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])(?::\d{1,5})?$/

const isSame = (one: string, other: string): boolean => {
  const [shown, expected] = [Buffer.from(one), Buffer.from(other)]
  return shown.length === expected.length && timingSafeEqual(shown, expected)
}
