/** What is put on the queue: the event, and its bytes or where they are. ASCII JSON, since SQS takes only XML-legal characters. */
export interface Message {
  readonly version: 1
  /** The fingerprint. */
  readonly id: string
  readonly source: string
  readonly provider: string
  readonly eventId: string
  readonly type: string | null
  readonly generation: number
  /** Changes only when a done event is replayed: with the id, the idempotency key for whatever the handler calls. */
  readonly edition: number
  /** ISO 8601. */
  readonly receivedAt: string
  readonly correlationId: string
  /** Epoch seconds: handled after this, the event could no longer be told from a new one. */
  readonly expiresAt: number
  /** How long the source keeps bodies for replay, in seconds; 0: not at all. */
  readonly retain: number
  /** False where the sender proves who it is, and not what it says: look the event up before you act on it. */
  readonly bodySigned: boolean
  readonly headers: Readonly<Record<string, string>>
  /** Where the source names an ordering key. */
  readonly ordering: Ordering | null
  /** How it came, if not as a delivery. */
  readonly via?: 'reconcile'
  /** Names of destinations. @default worker */
  readonly to?: readonly string[]
  /** For several of them, in milliseconds: a record that has to be made again is of the same life then, by which its copies know it. */
  readonly firstSeenAt?: number
  /** Of a copy: its event, and the generation of that by which it was made, and its edition if that is not 0. */
  readonly copyOf?: string
  readonly madeBy?: number
  readonly madeIn?: number
  readonly body: MessageBody
}

export interface Ordering {
  /** What the event is about: events of one key are handled one after another. */
  readonly key: string
  /** For `newest(key, version)`, if the source names one and the event has it. Up to 15 digits are a number here, and text for handlers. */
  readonly version: number | string | null
}

export type MessageBody = {
  readonly sha256: string
  /** Raw bytes, before any encoding. */
  readonly size: number
} & (
  | { readonly encoding: 'base64' | 'zstd'; readonly data: string }
  | { readonly encoding: 'pointer'; readonly at: string }
)

/** Message attributes, so a queue reader can filter and trace without opening the body. */
export const MESSAGE_ATTRIBUTES = {
  source: 'source',
  correlationId: 'correlationId',
  traceparent: 'traceparent',
  amazonTrace: 'x-amzn-trace-id',
} as const
