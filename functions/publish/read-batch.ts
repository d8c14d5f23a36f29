import { readIdempotencyKey, writeIdempotencyKey } from '../domain/idempotency-key.ts'
import { readBody } from '../providers/read-body.ts'
import { sliceItems, sliceMember } from '../providers/slice-items.ts'
import { type Refused, refuse } from './publication.ts'

export const MOST_EVENTS = 100

/** One entry of a batch: a key and the bytes of its event, or why not. */
export interface BatchItem {
  readonly key: string | null
  readonly event: Uint8Array | null
  readonly refused?: Refused
}

/** `{"events":[{"key":"...","event":{...}}, ...]}`. Each event as it was written, so it is the same as if sent alone. */
export const readBatch = (body: Uint8Array): readonly BatchItem[] | Refused => {
  const view = readBody(body)
  const json = view.form() ? undefined : view.json()
  if (json?.kind !== 'parsed') return refuse('body-not-json', { detail: json?.why ?? 'the body is not JSON' })
  const items = sliceItems(Buffer.from(body).toString('utf8'), 'json:events')
  if (!items) return refuse('batch-malformed', { detail: 'expected {"events":[{"key":"...","event":{...}}]}' })
  if (items.length === 0 || items.length > MOST_EVENTS) {
    return refuse('batch-malformed', { detail: `found ${items.length} events, expected 1 to ${MOST_EVENTS}` })
  }
  return items.map(readItem)
}

const readItem = (text: string): BatchItem => {
  const { key: given } = Object(JSON.parse(text)) as { readonly key?: unknown }
  if (typeof given !== 'string') {
    return { key: null, event: null, refused: refuse('key-missing', { detail: 'expected "key", a string' }) }
  }
  // The characters of a key are the same in a header and here; quotes belong to the header.
  const read = readIdempotencyKey([writeIdempotencyKey(given)])
  if (read.kind !== 'key') {
    const why = read.kind === 'malformed' ? { detail: read.why } : {}
    return { key: given.slice(0, SHOWN), event: null, refused: refuse('key-malformed', why) }
  }
  const event = sliceMember(text, 'event')
  if (event === undefined) {
    return { key: given, event: null, refused: refuse('batch-malformed', { detail: 'expected "event", a JSON value' }) }
  }
  return { key: given, event: Buffer.from(event, 'utf8') }
}

/** Enough to find it again. */
const SHOWN = 64
