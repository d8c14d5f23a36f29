import type { Delivery } from '../domain/delivery.ts'
import type { KeptFor } from '../domain/kept-delivery.ts'
import { parseJson } from '../domain/parse-json.ts'
import type { SingleScheme } from '../domain/scheme.ts'
import type { Source } from '../domain/source.ts'
import { waysOf } from './choose-variant.ts'
import { SECRET_NAME } from './secret-name.ts'
import { headersRead, readsQuery } from './what-is-read.ts'

/** What stands in place of a text. `signed`: the text is a signature that a secret can make again from this. */
export type Swap = (text: string, signed?: string) => string

/**
 * The delivery with another text in every place where a secret is sent along: a token, a password, a key in the query, a secret
 * that is handed over, and whatever has the name of one and is not read. Signatures stay: they prove one delivery, and no other.
 */
export const swapSecrets = (delivery: Delivery, source: Source, swap: Swap, keptFor: KeptFor): Delivery => {
  const ways = Object.values(waysOf(source.scheme))
  const read = headersRead(source)
  // Nobody verifies a captured delivery again.
  const isWanted = (name: string) =>
    keptFor === 'capture' || ways.some(way => sendsIn(way, 'query', name)) || !readsQuery(source, name)
  return {
    ...delivery,
    url: swapQuery(delivery.url, isWanted, swap),
    headers: new Map(
      [...delivery.headers].map(([name, values]) => {
        const swapped = headerSwap(source, ways, name, read)
        return [name, swapped ? values.map(value => swapped(value, swap)) : values]
      }),
    ),
    body: secretFields(source, ways).reduce((body, field) => swapField(body, field, swap), delivery.body),
  }
}

const secretFields = ({ provider }: Source, ways: readonly SingleScheme[]): readonly string[] => {
  const offered = provider.handshake?.offers?.at
  return [
    ...ways.flatMap(way => (way.kind === 'code' && way.sends ? [way.sends] : [])),
    ...(offered?.in === 'json' ? [offered.name] : []),
  ]
}

const sendsIn = (way: SingleScheme, place: 'header' | 'query', name: string): boolean =>
  way.kind === 'token' && way.token.in === place && way.token.name === name

type HeaderSwap = (value: string, swap: Swap) => string

/** How a header's value is swapped; `undefined` if it stays. */
const headerSwap = (
  { provider }: Source,
  ways: readonly SingleScheme[],
  name: string,
  read: ReadonlySet<string>,
): HeaderSwap | undefined => {
  const token = ways.find(way => way.kind === 'token' && sendsIn(way, 'header', name))
  if (token?.kind === 'token') return after(token.token.prefix ?? '')
  const bearer = ways.find(way => way.kind === 'jwt' && way.covers === undefined)
  if (bearer?.kind === 'jwt' && bearer.token.in === 'header' && bearer.token.name === name)
    return signatureAfter(bearer.token.prefix ?? '')
  const offered = provider.handshake?.offers?.at
  const named = offered?.in === 'header' && offered.name === name
  return named || (SECRET_NAME.test(name) && !read.has(name)) ? after('') : undefined
}

const after =
  (prefix: string): HeaderSwap =>
  (value, swap) => {
    const start = value.startsWith(prefix) && prefix !== '' ? prefix.length : (WORD.exec(value)?.[0].length ?? 0)
    return start < value.length ? value.slice(0, start) + swap(value.slice(start)) : value
  }

/** `Bearer` and `Basic` are no part of a secret. */
const WORD = /^(?:bearer|basic) /i

/** A token that does not cover the body proves any delivery for as long as it lives. What it says stays to be looked at. */
const signatureAfter =
  (prefix: string): HeaderSwap =>
  (value, swap) => {
    const token = value.startsWith(prefix) ? value.slice(prefix.length) : ''
    const [, signed, signature = ''] = TOKEN.exec(token) ?? []
    return signed === undefined ? after(prefix)(value, swap) : `${prefix}${signed}.${swap(signature, signed)}`
  }

const TOKEN = /^([\w-]+\.[\w-]+)\.([\w-]+)$/

const swapQuery = (url: string, isWanted: (name: string) => boolean, swap: Swap): string =>
  url.replace(/(?<=[?&])[^&#]+/g, pair => {
    const [[name, value] = ['', '']] = new URLSearchParams(pair)
    return value !== '' && isWanted(name)
      ? `${pair.slice(0, pair.indexOf('=') + 1)}${encodeURIComponent(swap(value))}`
      : pair
  })

/** The field's texts in a JSON body replaced byte by byte, so the rest stays as it was signed or not. */
const swapField = (body: Uint8Array, field: string, swap: (text: string) => string): Uint8Array => {
  const pattern = new RegExp(`(?<="${field}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)+(?=")`, 'gs')
  const swapped = Buffer.from(body)
    .toString('latin1')
    .replace(pattern, raw => {
      const text = swap(textOf(Buffer.from(raw, 'latin1').toString('utf8')))
      return Buffer.from(JSON.stringify(text).slice(1, -1), 'utf8').toString('latin1')
    })
  return Buffer.from(swapped, 'latin1')
}

/** A stranger's body need not be JSON: what cannot be read is taken as it is. */
const textOf = (raw: string): string => (parseJson(`"${raw}"`) as string | undefined) ?? raw
