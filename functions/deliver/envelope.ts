import { createHash } from 'node:crypto'
import type { WebhookEvent } from '../domain/event.ts'
import type { KeptObject } from '../domain/handing-over.ts'
import { parseJson } from '../domain/parse-json.ts'

/** An event as it is handed over to a queue or a bus of yours. Its schema: functions/deliver/envelope.schema.json. */
export interface Envelope {
  readonly version: 1
  /** The same for every repeat of this event; another one only if an event that was done is replayed. */
  readonly idempotencyKey: string
  readonly id: string
  readonly destination: string
  readonly source: string
  readonly provider: string
  readonly eventId: string
  readonly type: string | null
  readonly generation: number
  readonly receivedAt: string
  readonly correlationId: string
  readonly bodySigned: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly body: EnvelopeBody
}

/** Always with the hash and the size of the bytes that were signed. */
export type EnvelopeBody = { readonly sha256: string; readonly size: number } & (
  | { readonly encoding: 'utf8' | 'base64'; readonly data: string }
  /** Its JSON as it is, so the rules of a bus can look into it. */
  | { readonly encoding: 'json'; readonly data: unknown }
  /** It did not fit: the exact bytes, as an object. */
  | ({ readonly encoding: 's3' } & KeptObject)
)

export interface Enveloping {
  readonly destination: string
  /** What the receiving service takes, everything included. */
  readonly mostBytes: number
  /** JSON goes in as it is, instead of as text. */
  readonly embedsJson: boolean
  /** Keeps the bytes of a body that does not fit. */
  keep(event: WebhookEvent, bytes: Uint8Array, sha256: string): Promise<KeptObject>
}

/** The JSON text of an envelope, in ASCII: SQS takes only characters that XML knows. */
export const envelopeText = async (event: WebhookEvent, enveloping: Enveloping): Promise<string> => {
  const bytes = await event.bytes()
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const about = { sha256, size: bytes.length }
  const whole = bytes.length > enveloping.mostBytes ? undefined : written(event, enveloping, about, bytes)
  if (whole !== undefined && whole.length <= enveloping.mostBytes) return whole
  const kept = await enveloping.keep(event, bytes, sha256)
  return around(event, enveloping, ascii({ ...about, encoding: 's3', ...kept }))
}

type About = Pick<EnvelopeBody, 'sha256' | 'size'>

const written = (event: WebhookEvent, enveloping: Enveloping, about: About, bytes: Uint8Array): string => {
  const text = utf8(bytes)
  if (text === undefined) {
    const data = Buffer.from(bytes).toString('base64')
    return around(event, enveloping, ascii({ ...about, encoding: 'base64', data }))
  }
  if (!enveloping.embedsJson || !isJson(text)) {
    return around(event, enveloping, ascii({ ...about, encoding: 'utf8', data: text }))
  }
  // Not parsed and written again: that would round large numbers.
  const body = `${ascii({ ...about, encoding: 'json' }).slice(0, -1)},"data":${escaped(text)}}`
  return around(event, enveloping, body)
}

const around = (event: WebhookEvent, { destination }: Enveloping, body: string): string => {
  const { id, source, provider, eventId, type, generation, receivedAt, correlationId, bodySigned, headers } = event
  const said: Omit<Envelope, 'body'> = {
    version: 1,
    idempotencyKey: event.idempotencyKey,
    id,
    destination,
    source,
    provider,
    eventId,
    type,
    generation,
    receivedAt,
    correlationId,
    bodySigned,
    headers,
  }
  return `${ascii(said).slice(0, -1)},"body":${body}}`
}

const utf8 = (bytes: Uint8Array): string | undefined => {
  try {
    // With `ignoreBOM` the mark stays in the text, which then has the bytes that were signed.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** An object or a list: a rule of a bus cannot look into anything else. */
const isJson = (text: string): boolean => typeof parseJson(text) === 'object'

const ascii = (value: unknown): string => escaped(JSON.stringify(value))

/** Outside of its strings JSON is ASCII, and inside of them every character may be escaped. Control characters are white space here. */
const escaped = (json: string): string =>
  json
    .replace(/[\t\n\r]/g, ' ')
    .replace(/[^\x20-\x7e]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
