import type { Delivery } from './delivery.ts'
import type { Scheme } from './scheme.ts'

/** Where a value is read from: `header:x-github-delivery`, `json:data.object.id`, `form:MessageSid`. */
export type Selector = `header:${string}` | `json:${string}` | `form:${string}`

/** How a kind of sender signs, names and retries its events. A row of data; see docs/add-a-provider.md. */
export interface Provider {
  readonly id: string
  readonly name: string
  readonly scheme: Scheme
  readonly identity: ProviderIdentity
  /** First one present wins. Only for people and filters: never part of the identity. */
  readonly type: readonly Selector[]
  /** Headers handed to the consumer, besides `content-type` and those of identity and type. Never a signature. */
  readonly keepHeaders?: readonly string[]
  readonly retry: {
    /** From the first automatic try to the last; 0: never retries; null: not known. */
    readonly windowSeconds: number | null
    /** A 4xx makes this sender stop or disable the endpoint: it is told 503 where others get 409. */
    readonly givesUpOn4xx?: true
  }
  /** How long its events are worth remembering: automatic retries and manual resends. */
  readonly replayWindowSeconds: number
  readonly handshake?: Handshake
  readonly docs: string
}

export type ProviderIdentity =
  /** The first selector present is the id; `scope` parts are empty when missing. */
  | {
      readonly kind: 'id'
      readonly id: readonly Selector[]
      readonly scope?: readonly Selector[]
      readonly integer?: true
    }
  /** No id is sent: the bytes are the identity. */
  | { readonly kind: 'body' }

/** A request that asks "are you there?" and is answered, not stored. Asked only after the signature has passed. */
export type Handshake = (delivery: Delivery, json: unknown) => HandshakeReply | undefined

export interface HandshakeReply {
  readonly status: number
  readonly contentType: string
  readonly body: string
}
