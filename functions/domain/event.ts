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
  /** `reconcile`: taken from its sender's own list, since its webhook never came. What it may lack: docs/reconcile.md. */
  readonly via?: 'reconcile'
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

/** Says that a handler has no use for an event: `return ignore('not one of ours')`. */
export const ignore = (because: string): Ignored => ({ [IGNORED]: because }) as unknown as Ignored

/** By name, not by identity: a worker may have a copy of this module of its own. */
const IGNORED = Symbol.for('hooklatch.ignored')

/** What `ignore` makes. It counts as `void`, so a handler may say nothing on its other paths, whatever its compiler options are. */
// biome-ignore lint/suspicious/noConfusingVoidType: that is its purpose
export type Ignored = void & { readonly [IGNORED]: string }

/** The reason, if this is what `ignore` made. */
export const ignoredBecause = (returned: unknown): string | undefined => {
  const reason = (returned as { readonly [IGNORED]?: unknown } | null | undefined)?.[IGNORED]
  return reason === undefined ? undefined : String(reason)
}

/** Thrown by a handler: what it called asks to be left alone for so many seconds. The try counts, and the next comes no sooner. */
export class TryLater extends Error {
  override readonly name = 'TryLater'
  readonly seconds: number

  constructor(message: string, seconds: number) {
    super(message)
    this.seconds = seconds
  }
}

/** Thrown by a handler: this event should have been usable, and is not. It fails at once instead of using up its tries. */
export class Unprocessable extends Error {
  override readonly name = 'Unprocessable'
}
