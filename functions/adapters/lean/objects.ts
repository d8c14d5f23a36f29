import type { ListedObject, ObjectCalls, StoredObject } from '../wire/object-calls.ts'
import type { Caller } from './caller.ts'
import type { Incoming } from './exchange.ts'
import { type Fault, ServiceFault } from './service-fault.ts'

const META = 'x-amz-meta-'

/** What receive and publish call. */
export const leanObjects = (caller: Caller): Pick<ObjectCalls, 'putNew' | 'put'> => {
  const write = (bucket: string, key: string, { bytes, metadata }: StoredObject, condition: Record<string, string>) => {
    const named = Object.entries(metadata).map(([name, value]) => [`${META}${name}`, value])
    const headers = { ...condition, ...Object.fromEntries(named) }
    return caller.call({ method: 'PUT', ...addressOf(caller, bucket, key), headers, body: bytes, readFault })
  }
  return {
    async putNew(bucket, key, object) {
      try {
        await write(bucket, key, object, { 'if-none-match': '*' })
        return 'written'
      } catch (error) {
        if (hasStatus(error, 412)) return 'exists'
        throw error
      }
    },
    async put(bucket, key, object) {
      await write(bucket, key, object, {})
    },
  }
}

const NO_LIST = 'S3 answered 200 without a whole list of keys: nothing is known of them, so ask again'

/** What nobody calls who only receives. */
export const leanObjectReads = (caller: Caller): Pick<ObjectCalls, 'get' | 'list'> => ({
  async list(bucket, prefix) {
    const found: ListedObject[] = []
    let token: string | undefined
    do {
      const asked = { 'continuation-token': token, 'list-type': '2', prefix }
      const query = Object.entries(asked).flatMap(([name, value]) => (value ? `${name}=${encoded(value)}` : []))
      const address = addressOf(caller, bucket, '')
      const call = { method: 'GET', ...address, query: query.join('&'), headers: {}, body: NOTHING, readFault }
      const text = (await caller.call(call)).answer.body.toString('utf8')
      // A 200 may hold an error, or come from a proxy: whoever erases must not take that for an empty list.
      if (!/<ListBucketResult.*<\/ListBucketResult>/s.test(text)) throw new Error(NO_LIST)
      // Ours are hex digits, letters and slashes: nothing that XML would escape.
      const listed = text.matchAll(/<Key>([^<]*)<\/Key>.*?<Size>(\d+)<\/Size>/gs)
      found.push(...[...listed].map(([, key = '', size]) => ({ key, size: Number(size) })))
      token = /<NextContinuationToken>([^<]*)</.exec(text)?.[1]
    } while (token)
    return found
  },

  async get(bucket, key) {
    try {
      const address = addressOf(caller, bucket, key)
      const { answer } = await caller.call({ method: 'GET', ...address, headers: {}, body: NOTHING, readFault })
      const named = Object.entries(answer.headers).flatMap(([name, value]) =>
        name.startsWith(META) ? [[name.slice(META.length), String(value)]] : [],
      )
      return { bytes: answer.body, metadata: Object.fromEntries(named) }
    } catch (error) {
      if (error instanceof ServiceFault && error.name === 'NoSuchKey') return undefined
      throw error
    }
  },
})

/** Buckets are hosts, save those with a dot, which no certificate covers, and those of somebody's own endpoint. */
const addressOf = ({ endpoint }: Caller, bucket: string, key: string): { readonly url: URL; readonly path: string } => {
  if (endpoint.custom || bucket.includes('.')) return { url: endpoint.url, path: `/${bucket}/${escaped(key)}` }
  return { url: new URL(`https://${bucket}.${endpoint.url.host}`), path: `/${escaped(key)}` }
}

const NOTHING = ''

const escaped = (key: string): string => key.split('/').map(encoded).join('/')

const encoded = (part: string): string =>
  encodeURIComponent(part).replace(/[!'()*]/g, at => `%${at.charCodeAt(0).toString(16).toUpperCase()}`)

const hasStatus = (error: unknown, status: number): boolean =>
  error instanceof ServiceFault && error.answer.status === status

const readFault = ({ body, status }: Incoming): Fault => {
  const text = body.toString('utf8')
  const within = (tag: string): string | undefined => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1]
  return { code: within('Code') ?? `HTTP ${status}`, message: within('Message') ?? '' }
}
