import type { Delivery } from '../domain/delivery.ts'
import type { Scheme, SingleScheme, TokenScheme } from '../domain/scheme.ts'

/**
 * The delivery with another text in every place where its sender puts a secret itself: a token, a password, a key in the
 * query. Signatures stay: they prove one delivery, and no other.
 */
export const swapSecrets = (
  delivery: Delivery,
  scheme: Scheme,
  swap: Swap,
  /** Also what no scheme of the source reads: for a delivery that nobody verifies again. */
  everyQuery = false,
): Delivery => {
  const ways = waysOf(scheme)
  return {
    ...delivery,
    url: swapQuery(delivery.url, name => everyQuery || ways.some(way => sendsIn(way, 'query', name)), swap),
    headers: new Map([...delivery.headers].map(([name, values]) => [name, swapHeader(ways, name, values, swap)])),
    body: ways.reduce(
      (body, way) => (way.kind === 'code' && way.sends ? swapField(body, way.sends, swap) : body),
      delivery.body,
    ),
  }
}

type Swap = (text: string) => string

const waysOf = (scheme: Scheme): readonly SingleScheme[] =>
  scheme.kind === 'any' ? Object.values(scheme.of) : [scheme]

const sendsIn = (way: SingleScheme, place: 'header' | 'query', name: string): way is TokenScheme =>
  way.kind === 'token' && way.token.in === place && way.token.name === name

const swapHeader = (ways: readonly SingleScheme[], name: string, values: readonly string[], swap: Swap): string[] => {
  const way = ways.find(each => sendsIn(each, 'header', name))
  if (!way && !isCredentials(ways, name)) return [...values]
  const prefix = way?.kind === 'token' ? (way.token.prefix ?? '') : ''
  return values.map(value => {
    const start = value.startsWith(prefix) && prefix !== '' ? prefix.length : (WORD.exec(value)?.[0].length ?? 0)
    return start < value.length ? value.slice(0, start) + swap(value.slice(start)) : value
  })
}

/** `Bearer` and `Basic` are no part of a secret. */
const WORD = /^(?:bearer|basic) /i

/** By its name, whatever the scheme, unless a signature is in it. */
const isCredentials = (ways: readonly SingleScheme[], name: string): boolean =>
  CREDENTIALS.test(name) && !ways.some(way => way.kind === 'code' || JSON.stringify(way).includes(name))

const CREDENTIALS = /^(?:proxy-)?authorization$|^cookie$|^(?:x-)?api-key$/

const swapQuery = (url: string, isWanted: (name: string) => boolean, swap: Swap): string =>
  url.replace(/(?<=[?&])[^&#]+/g, pair => {
    const [[name, value] = ['', '']] = new URLSearchParams(pair)
    return value !== '' && isWanted(name)
      ? `${pair.slice(0, pair.indexOf('=') + 1)}${encodeURIComponent(swap(value))}`
      : pair
  })

/** Byte by byte, so the rest of a body stays as it was signed or not. */
const swapField = (body: Uint8Array, field: string, swap: Swap): Uint8Array => {
  const pattern = new RegExp(`(?<="${field}"\\s*:\\s*")(?:[^"\\\\]|\\\\.)+(?=")`, 'g')
  const swapped = Buffer.from(body)
    .toString('latin1')
    .replace(pattern, raw => {
      const text = JSON.parse(`"${Buffer.from(raw, 'latin1').toString('utf8')}"`)
      return Buffer.from(JSON.stringify(swap(text)).slice(1, -1), 'utf8').toString('latin1')
    })
  return Buffer.from(swapped, 'latin1')
}
