import type { Seconds } from './brands.ts'
import type { Allowed } from './caller.ts'
import type { Duration } from './duration.ts'
import type { Batch, Provider, ProviderIdentity } from './provider.ts'
import type { Route, Routing } from './route.ts'
import type { Scheme } from './scheme.ts'
import type { Selector } from './selector.ts'
import type { StandardSchema } from './standard-schema.ts'

/** One entry of sources.ts: what a user writes. Plain data but for `schema`, so a JSON file can say the same. */
export interface SourceConfig {
  /** @see npx hooklatch providers */
  // A union, so `satisfies Sources` keeps the name: a typed handler needs it.
  readonly provider: 'custom' | 'internal' | (string & {})
  /** How long an event is remembered at least. @default the provider's retry and resend horizon */
  readonly replayWindow?: Duration
  /** How long bodies are kept for replay. @default '7d' */
  readonly retain?: 'none' | Duration
  /** What makes two deliveries the same event. @default the provider's own id */
  readonly identity?: SourceIdentity
  /** `'body'`: what was signed of the body is claimed too, so a captured body under a fresh unsigned id is a duplicate. */
  readonly guard?: 'body'
  /** The complete URL the sender calls, for senders that sign it. @default the URL the request came to */
  readonly publicUrl?: string
  /** Required, and only allowed, for a provider that signs nothing. */
  readonly unsigned?: true
  /** How old or early a signed timestamp may be. @default the provider's */
  readonly tolerance?: Duration
  /** Store the body before the claim. @default true for senders that never retry or whose retries are not known */
  readonly storeFirst?: boolean
  /** What a delivery of an event that failed for good does. @default 'reopen' */
  readonly resend?: 'reopen' | 'ignore'
  /** The answer while another delivery of the event is running. @default 409, or 503 where the sender gives up on a 4xx */
  readonly inFlight?: 409 | 503
  /** Events of one key are handled in the order they were received, through a FIFO queue. @default no order */
  readonly ordering?: {
    /** What an event is about, such as `json:data.object.id`. An event without it stands alone. */
    readonly key: Selector | string
    /** A number or a sortable time, for `newest(key, version)`. */
    readonly version?: Selector | string
  }
  /** Keep deliveries that were not believed for three days, to be verified again once a wrong secret is fixed. @default false */
  readonly quarantine?: boolean
  /** Required, and only allowed, for `internal`: who may publish, of those IAM admits. Unique ids, account ids, role and user ARNs. */
  readonly allow?: Allowed
  /**
   * What its events look like (zod, valibot, ...). Another body fails before the handler is called; of an `internal` source it is
   * refused. @default anything
   */
  readonly schema?: StandardSchema
  /** Where its events go, by type and by values in the body. Every route that matches counts. @default all to `worker` */
  readonly routes?: readonly Route[]
  /** Where events go that no route matches: a destination, or `ignore`. @default 'ignore' beside `routes` */
  readonly otherwise?: string
  /** Which account, repository, project or shop of the sender this is, for `connect` and `reconcile`: docs/reconcile.md. */
  readonly account?: string
  /** Compares with the sender's own list by itself, and takes what never arrived: docs/reconcile.md. @default only if you ask */
  readonly reconcile?: {
    /** How often: whole minutes, from 5m to 1d. */
    readonly every: Duration
    /** How far back each time; never less than `every`. */
    readonly back: Duration
    /** Only these; `invoice.*` are all that begin so. @default those that the routes name, else all that the sender lists */
    readonly types?: readonly string[]
    /** Take nothing: count what is missing, and raise the alarm. @default false */
    readonly reportOnly?: boolean
  }
  /** Provider-specific values; for `custom`, the scheme itself. */
  readonly config?: Readonly<Record<string, unknown>>
}

export type SourceIdentity =
  | 'provider'
  /** JSON paths or selectors that together name the business fact, such as subscription and period. */
  | { readonly businessKey: readonly (Selector | string)[] }
  /** The raw bytes. */
  | 'body'
  /** The JSON, whatever its key order and white space, without the fields that change between attempts. */
  | { readonly body: { readonly exclude: readonly string[] } }

export type Sources = Readonly<Record<string, SourceConfig>>

/** A source with every default filled in: what the functions work with. */
export interface Source {
  readonly name: string
  readonly provider: Provider
  readonly scheme: Scheme
  readonly identity: ProviderIdentity | { readonly kind: 'business'; readonly parts: readonly Selector[] }
  readonly type: readonly Selector[]
  /** Several events in one delivery, each claimed on its own; null where the source names the whole delivery itself. */
  readonly batch: Batch | null
  readonly keepHeaders: readonly string[]
  /** How long a record lives after each forwarding: never shorter than its message, its sender's horizon or its body. */
  readonly memory: Seconds
  readonly retain: Seconds | 'none'
  /** What is claimed besides the id: the bytes, or the text that was signed. */
  readonly guard: 'bytes' | 'signed' | false
  /** A signed value that belongs to one event. */
  readonly unique: Selector | null
  /** False where the sender proves who it is, and not what it says. */
  readonly bodySigned: boolean
  /** What is signed fits other bodies too: a captured proof must not begin or finish an event anew with one of them. */
  readonly sameBody?: true
  readonly publicUrl: string | null
  readonly storeFirst: boolean
  readonly reopens: boolean
  readonly ordering: { readonly key: Selector; readonly version: Selector | null } | null
  readonly inFlightStatus: 409 | 503
  readonly quarantine: boolean
  readonly config: Readonly<Record<string, unknown>>
  /** Its events come to `/publish/{source}`, from callers that IAM knows; null: to `/webhooks/{source}`, signed. */
  readonly publish: { readonly allow: Allowed } | null
  readonly schema: StandardSchema | null
  /** Without it everything goes to `worker`. */
  readonly routing?: Routing
  /** For the sender's own API; no receiver looks at it. */
  readonly account?: string
  readonly reconcile?: ReconcileSchedule
}

export interface ReconcileSchedule {
  readonly every: Seconds
  readonly back: Seconds
  /** Empty: all. */
  readonly types: readonly string[]
  readonly reportOnly: boolean
}
