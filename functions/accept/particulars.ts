import type { Ordering } from '../contract/message.ts'
import type { Delivery, HeaderMap } from '../domain/delivery.ts'
import { sha256 } from '../domain/identity.ts'
import { clip } from '../domain/record.ts'
import { route } from '../domain/route.ts'
import type { Selector } from '../domain/selector.ts'
import type { Source } from '../domain/source.ts'
import { asStored, MOST_VERSION_CHARACTERS } from '../domain/version.ts'
import type { BodyView } from '../providers/read-body.ts'
import { type Selected, select } from '../providers/select.ts'

type Read = (selector: Selector) => Selected

/** The key of an order must fit into the message. */
const MOST_KEY_BYTES = 256

/** What an event carries besides its identity. */
export const particulars = (source: Source, delivery: Delivery, view: BodyView, eventId: string) => {
  const read: Read = selector => select(selector, delivery, view, 'integers too')
  const type = typeOf(source.type, read)
  const all = {
    type,
    to: route({ type, json: view.value }, source),
    headers: keptHeaders(delivery.headers, source.keepHeaders),
    ordering: orderingOf(source, read, eventId),
    body: delivery.body,
    receivedAt: delivery.receivedAt,
    correlationId: delivery.correlationId,
    trace: delivery.trace,
  }
  return delivery.via ? { ...all, via: delivery.via } : all
}

const firstFound = (selectors: readonly Selector[], read: Read): string | null => {
  for (const selector of selectors) {
    const selected = read(selector)
    if (selected.kind === 'found') return selected.value
  }
  return null
}

const typeOf = (selectors: readonly Selector[], read: Read): string | null => {
  const type = firstFound(selectors, read)
  return type === null || type === '' ? null : clip('type', type.toWellFormed())
}

/** An event without the key is ordered with nothing but itself. */
const orderingOf = ({ ordering }: Source, read: Read, eventId: string): Ordering | null => {
  if (!ordering) return null
  const found = ordering.version && firstFound([ordering.version], read)
  const version = found !== null && found.length <= MOST_VERSION_CHARACTERS ? found : null
  const named = (firstFound([ordering.key], read) ?? eventId).toWellFormed()
  const key = Buffer.byteLength(named) > MOST_KEY_BYTES ? sha256(Buffer.from(named)) : named
  return { key, version: version && asStored(version) }
}

const keptHeaders = (headers: HeaderMap, names: readonly string[]): Readonly<Record<string, string>> => {
  const kept: Record<string, string> = {}
  for (const name of names) {
    const values = headers.get(name)
    if (values) kept[name] = values.join(', ')
  }
  return kept
}
