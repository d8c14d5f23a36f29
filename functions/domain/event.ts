/** What a handler is given: the event, and its body when asked for. */
export interface WebhookEvent {
  /** The fingerprint: what the sender was told, and what the console shows. */
  readonly id: string
  readonly source: string
  readonly provider: string
  /** The sender's own id of the event. */
  readonly eventId: string
  readonly type: string | null
  /** 0 for the first forwarding, +1 for each replay or reopening. */
  readonly generation: number
  /** Hand this to the next API: it changes only when an event that was done is replayed. */
  readonly idempotencyKey: string
  /** ISO 8601. */
  readonly receivedAt: string
  readonly correlationId: string
  /** False where the sender proves who it is, and not what it says: look the event up before you act on it. */
  readonly bodySigned: boolean
  readonly headers: Readonly<Record<string, string>>
  /** If the source names an ordering key. */
  readonly ordering: EventOrdering | null
  /** The exact bytes that were signed. A large body is fetched the first time it is asked for. */
  bytes(): Promise<Uint8Array>
  text(): Promise<string>
  json<Body = unknown>(): Promise<Body>
}

export interface EventOrdering {
  /** What the event is about: events of one key are handled one after another. */
  readonly key: string
  /** For `newest(key, version)`, if the source names one and the event has it. Always text, however many digits it has. */
  readonly version: string | null
}

/** Thrown by a handler: this event can never be handled, so it fails at once instead of using up its retries. */
export class Unprocessable extends Error {
  override readonly name = 'Unprocessable'
}
