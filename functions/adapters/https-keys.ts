import { type Millis, millis } from '../domain/brands.ts'
import { unavailable } from '../domain/fault.ts'
import type { Clock, FetchAnswer, KeyFetcher } from '../domain/ports.ts'

const MOST_BYTES = 65_536
const WITHIN_MS = 2_000
const FRESH_MS = 3_600_000
/** While its host is away, a key is used for so long: a sender replaces keys in days. */
const STALE_MS = 24 * 3_600_000
/** A caller who names keys that do not exist has us ask no more often than this. */
const AGAIN_AFTER_MS = 60_000
/** Longer than a request may take: of many that wait for the same key, one asks. A host that fails has time to recover. */
const RETRY_AFTER_MS = 5_000
const MOST_URLS = 16
/** A forger who invents a new URL each time uses up this budget of its source, and neither our connection nor another source's budget. */
const MOST_PER_MINUTE = 20

/** Gets a URL as text; any answer but a 200 of the right size in time is an error. */
export type GetText = (url: string) => Promise<string>

/** Published keys over https: a 200 or nothing, bounded in size and time, remembered for an hour, each source by itself. */
export const httpsKeys = (now: Clock, getText: GetText = getOverHttps): KeyFetcher => {
  const sources = new Map<string, ReturnType<typeof keysOfSource>>()
  return {
    fetch(source, url, freshness) {
      const keys = sources.get(source) ?? keysOfSource(now, getText)
      sources.set(source, keys)
      return keys(url, freshness)
    },
  }
}

const keysOfSource = (now: Clock, getText: GetText) => {
  const known = new Map<string, { readonly text: string; readonly at: Millis }>()
  const asked = new Map<string, { readonly answer: Promise<FetchAnswer>; readonly at: Millis }>()
  let minute = { at: now(), gets: 0 }

  const get = async (url: string): Promise<FetchAnswer> => {
    try {
      const text = await getText(url)
      const [oldest = ''] = known.keys()
      if (!known.delete(url) && known.size >= MOST_URLS) known.delete(oldest)
      known.set(url, { text, at: now() })
      return { kind: 'fetched', text }
    } catch (error) {
      return unavailable(error)
    }
  }

  /** A URL that has answered before is no invention, and is not counted. */
  const ask = (url: string): Promise<FetchAnswer> => {
    if (now() - minute.at >= AGAIN_AFTER_MS) {
      minute = { at: now(), gets: 0 }
      asked.clear()
    }
    const before = asked.get(url)
    if (before && now() - before.at < RETRY_AFTER_MS) return before.answer
    if (!known.has(url) && ++minute.gets > MOST_PER_MINUTE) return EXHAUSTED
    const answer = get(url)
    asked.set(url, { answer, at: now() })
    return answer
  }

  return async (url: string, freshness?: 'again'): Promise<FetchAnswer> => {
    const kept = known.get(url)
    const age = now() - (kept?.at ?? millis(0))
    if (kept && age < (freshness === 'again' ? AGAIN_AFTER_MS : FRESH_MS)) return { kind: 'fetched', text: kept.text }
    const answer = await ask(url)
    // Who asks again needs a key that is not in what we have.
    const served = kept && answer.kind === 'unavailable' && freshness !== 'again' && age < STALE_MS
    return served ? { kind: 'fetched', text: kept.text } : answer
  }
}

const EXHAUSTED = Promise.resolve({
  kind: 'unavailable',
  cause: 'too many keys were asked for in this minute',
} as const)

/** node:https follows no redirect and reads no proxy from the environment. */
const getOverHttps: GetText = url =>
  new Promise((resolve, reject) => {
    const { get } = process.getBuiltinModule('node:https')
    const request = get(url, { signal: AbortSignal.timeout(WITHIN_MS), headers: { accept: '*/*' } }, response => {
      const chunks: Buffer[] = []
      let size = 0
      if (response.statusCode !== 200) {
        response.destroy()
        reject(new Error(`${new URL(url).hostname} answered ${response.statusCode}`))
        return
      }
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        chunks.push(chunk)
        if (size > MOST_BYTES) request.destroy(new Error(`${new URL(url).hostname} answered more than 64 KB`))
      })
      response.on('end', () => resolve(Buffer.concat(chunks).toString('utf8')))
      response.on('error', reject)
    })
    request.on('error', reject)
  })
