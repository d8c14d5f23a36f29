import type { LookupFunction } from 'node:net'
import type { PostAnswer, PostRequest } from '../domain/handing-over.ts'
import { isPublicAddress } from '../domain/public-address.ts'

export interface Posting {
  /** @default the system's resolver */
  readonly resolve?: (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>
  /** Certificates to trust besides, for a test. */
  readonly ca?: string
}

/**
 * One POST over https. node:https follows no redirect and reads no proxy from the environment. The address that is connected to
 * is the one that was checked, so a name that resolves to something else a moment later changes nothing.
 */
export const httpsPost = (request: PostRequest, { resolve = resolveAll, ca }: Posting = {}): Promise<PostAnswer> =>
  new Promise((done, fail) => {
    const { request: open } = process.getBuiltinModule('node:https')
    const { url, headers, body, timeoutSeconds, privateAddresses } = request
    const { hostname } = new URL(url)
    const allowed = (address: string): boolean => privateAddresses || isPublicAddress(address)
    // For an address in the URL nothing is looked up.
    const literal = hostname.replace(/^\[(.*)\]$/, '$1')
    if (process.getBuiltinModule('node:net').isIP(literal) !== 0 && !allowed(literal)) {
      fail(new Error(refusal(hostname, literal)))
      return
    }
    const lookup: LookupFunction = (host, options, tell) => {
      const answer = async () => {
        const found = await resolve(host)
        const refused = found.find(({ address }) => !allowed(address))
        if (refused) throw new Error(refusal(host, refused.address))
        return found
      }
      answer().then(
        found => (options.all ? tell(null, [...found]) : tell(null, found[0]?.address ?? '', found[0]?.family)),
        error => tell(error, []),
      )
    }
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeoutSeconds * 1000)])
    const sent = open(url, { method: 'POST', headers, lookup, signal, agent: false, ...(ca && { ca }) }, response => {
      // Its body is nobody's business here; read to its end, the answer is whole.
      response.resume()
      response.on('end', () => done({ status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] }))
      response.on('error', fail)
    })
    sent.on('error', error => fail(signal.aborted ? late(hostname, timeoutSeconds) : error))
    sent.end(body)
  })

const late = (host: string, seconds: number): Error => new Error(`${host} did not answer within ${seconds} seconds`)

const refusal = (host: string, address: string): string =>
  `${host} is ${address}, which is no public address: set privateAddresses: true if that is meant`

const resolveAll = (host: string) => process.getBuiltinModule('node:dns').promises.lookup(host, { all: true })
