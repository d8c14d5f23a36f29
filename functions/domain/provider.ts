import type { Millis } from './brands.ts'
import type { Delivery } from './delivery.ts'
import type { KeyFetcher } from './ports.ts'
import type { Place, Scheme } from './scheme.ts'
import type { Secret } from './secret.ts'
import type { Selector } from './selector.ts'

/** How a kind of sender signs, names and retries its events. A row of data; see docs/add-a-provider.md. */
export interface Provider {
  readonly id: string
  readonly name: string
  readonly scheme: Scheme
  /** Signed, and never the same in two events: what a sender that does not sign its body has instead. It belongs to one event. */
  readonly unique?: Selector
  readonly identity: ProviderIdentity
  /** First one present wins. Only for people and filters: never part of the identity. */
  readonly type: readonly Selector[]
  /** Headers handed to the consumer, besides `content-type` and those of identity and type. Never a signature. */
  readonly keepHeaders?: readonly string[]
  /** Some senders say everything in headers. @default an empty body is refused */
  readonly emptyBody?: true
  readonly retry: {
    /** From the first automatic try to the last; 0: never retries; null: not known. */
    readonly windowSeconds: number | null
    /** A 4xx makes this sender stop or disable the endpoint: it is told 503, others 409. */
    readonly givesUpOn4xx?: true
  }
  /** How long it waits for an answer; null: not known. */
  readonly deadlineSeconds: number | null
  /** How long its events are worth remembering: automatic retries and manual resends. */
  readonly replayWindowSeconds: number
  readonly handshake?: Handshake
  /** Several events in one delivery: each becomes an event of its own. */
  readonly batch?: Batch
  /** What a source's `config` may say, besides what its scheme's template asks for; `true`: it has to. */
  readonly config?: Readonly<Record<string, ConfigField>>
  /** How sure the facts of this row are; `low` ones are experimental. */
  readonly confidence: Confidence
  readonly docs: string
  /** What to put into the secret store, in words. No function has this or the four below: they are for people and tests. */
  readonly secret?: string
  /** What its documents warn of. */
  readonly beware?: readonly string[]
  /** What its documents do not say, or what was not found in them. A row of low confidence has at least one. */
  readonly uncertain?: readonly string[]
  /** What to do about events that never came, if it is better than to ask its API for what changed. */
  readonly missed?: string
  /** The type of an event that it really sends, or a whole delivery if its body is not JSON of the usual shape. */
  readonly sample?: string | ((now: Millis) => SampleDelivery)
}

/** A delivery to `hooklatch send`, before it has an id and a signature. */
export interface SampleDelivery {
  readonly type: string
  /** Before an id that is made up. @default '' */
  readonly idPrefix?: string
  /** Where the id goes if the row does not say where events have theirs. */
  readonly idAt?: Selector
  /** Besides the content type. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body is a form. @default JSON */
  readonly form?: true
  readonly body?: object
  /** For bodies that are neither. */
  readonly write?: (body: Readonly<Record<string, unknown>>) => string
}

export type Confidence = 'high' | 'medium' | 'low'

export interface ConfigField {
  readonly takes: 'text' | 'texts' | 'url'
  readonly required: boolean
  /** What it may look like, for the catalogue. */
  readonly example?: string | readonly string[]
}

/** Facts that nobody could check against a document: usable, and said to be so wherever the row is shown. */
export const isExperimental = ({ confidence }: Pick<Provider, 'confidence'>): boolean => confidence === 'low'

export type ProviderIdentity =
  /** The first selector present is the id; `scope` parts are empty when missing. */
  | {
      readonly kind: 'id'
      readonly id: readonly Selector[]
      readonly scope?: readonly Selector[]
      /** Parts that only some events have, and only those are named by them. */
      readonly also?: readonly Selector[]
      readonly integer?: true
      /**
       * For ids that are not sent with everything: the bytes name the rest, or these together; where one of these is missing, each
       * delivery is an event of its own. @default a missing id is refused
       */
      readonly otherwise?: 'body' | readonly Selector[]
    }
  /** No id is sent: the bytes are the identity, or what was signed, if other bytes can say the same. */
  | { readonly kind: 'body'; readonly scope?: readonly Selector[]; readonly of?: 'form' | Selector }
  /** No id is sent, and some fields change from try to try. */
  | { readonly kind: 'json'; readonly exclude: readonly string[] }
  /** What was signed names the event: by the sender's documents, equal content is the same event. */
  | { readonly kind: 'signed' }
  /** Equal deliveries mean different things ("something changed, go and look"): each one is an event of its own. */
  | { readonly kind: 'delivery' }

export interface Batch {
  /** Where the list of events is. */
  readonly path: 'root array' | `json:${string}`
  /** Paths inside an item that together name it, the last of them always there; none: the item itself does. */
  readonly id?: readonly string[]
  /** Paths that together name an item without that id; where one of them is missing, each delivery of it is an event. @default its bytes do */
  readonly otherwise?: readonly string[]
  readonly type?: readonly string[]
  readonly most?: number
}

/** A request that asks "are you there?" and is answered, not stored. */
export interface Handshake {
  /** How the sender asks and what it wants to hear, for people. */
  readonly says: string
  /** The call that made it, if one did: a bundle makes it again and has no others. */
  readonly made?: readonly [string, ...string[]]
  /** Besides POST. */
  readonly methods?: readonly ('GET' | 'HEAD' | 'OPTIONS')[]
  /** Asked after the signature has passed; else before, when nothing about the caller is known. */
  readonly signed: boolean
  /** The secret that the sender hands over with it: kept only while an operator awaits it, else the question is not answered. */
  readonly offers?: {
    /** It is in no delivery that is kept. */
    readonly at: Place & { readonly in: 'header' | 'json' }
    readonly read: (asked: Asked) => string | undefined
  }
  readonly answer: (asked: Asked) => HandshakeReply | undefined | Promise<HandshakeReply | undefined>
}

export interface Asked {
  readonly delivery: Delivery
  /** Of the source that was asked. */
  readonly source: {
    readonly name: string
    readonly publicUrl: string | null
    readonly config: Readonly<Record<string, unknown>>
  }
  /** Undefined when the body is no JSON. */
  readonly json: () => unknown
  /** The secret that signed; before anything is signed, the current one. Undefined when there is none. */
  readonly secret: () => Promise<Secret | undefined>
  readonly keys: KeyFetcher | undefined
}

export interface HandshakeReply {
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}
