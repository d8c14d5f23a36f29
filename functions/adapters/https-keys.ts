import { type Millis, millis } from '../domain/brands.ts'
import type { Clock, FetchAnswer, KeyFetcher } from '../domain/ports.ts'
import { unavailable } from './fault.ts'

const MOST_BYTES = 65_536
const WITHIN_MS = 2_000
const FRESH_MS = 3_600_000
/** A caller who names keys that do not exist has us ask no more often than this. */
const AGAIN_AFTER_MS = 60_000
const MOST_URLS = 64
/** A forger who invents a new URL each time uses up this budget, and not our connection. */
const MOST_PER_MINUTE = 20

/** Gets a URL as text; any answer but a 200 of the right size in time is an error. */
export type GetText = (url: string) => Promise<string>

/** Published keys over https: a 200 or nothing, bounded in size and time, remembered for an hour. */
export const httpsKeys = (now: Clock, getText: GetText = getOverHttps): KeyFetcher => {
  const known = new Map<string, { readonly text: string; readonly at: Millis }>()
  let minute = { at: now(), gets: 0 }
  const fetchNow = async (url: string): Promise<FetchAnswer> => {
    if (now() - minute.at >= AGAIN_AFTER_MS) minute = { at: now(), gets: 0 }
    minute.gets += 1
    if (minute.gets > MOST_PER_MINUTE)
      return { kind: 'unavailable', cause: 'too many keys were asked for in this minute' }
    try {
      const text = await getText(url)
      if (known.size >= MOST_URLS) known.clear()
      known.set(url, { text, at: now() })
      return { kind: 'fetched', text }
    } catch (error) {
      return unavailable(error)
    }
  }
  return {
    async fetch(url, freshness) {
      const kept = known.get(url)
      const fresh = kept && now() - kept.at < millis(freshness === 'again' ? AGAIN_AFTER_MS : FRESH_MS)
      return kept && fresh ? { kind: 'fetched', text: kept.text } : fetchNow(url)
    },
  }
}

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
