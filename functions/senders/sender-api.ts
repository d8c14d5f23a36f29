import type { Duration } from '../domain/duration.ts'

/**
 * How the API of a sender itself registers an endpoint, shows its health, lists what it sent and delivers again. A row of data
 * beside its catalogue row; no receiver has it in its bundle. `{account}`, `{hook}`, `{since}` and the like are filled in.
 */
export interface SenderApi {
  /** Scheme and host. The API key is sent nowhere else. */
  readonly origin: string
  /** For keys that begin with `keys`, and for the account `sandbox`. */
  readonly sandbox?: { readonly origin: string; readonly keys?: string }
  /** Whose events: a repository, a project, a shop. `{account}` in origin and paths. */
  readonly account?: AccountField
  readonly auth: Auth
  /** What its keys look like: one that does not is not sent to it unless it was named for this source. */
  readonly looks: string
  readonly headers?: Readonly<Record<string, string>>
  /** What the key has to be allowed, and no more. */
  readonly rights: { readonly list?: string; readonly connect?: string }
  /** Calls a second that are far from its limits. */
  readonly rate: number
  /** Where these facts are from. */
  readonly docs: readonly string[]
  /** What its documents do not say, or what nobody has tried. */
  readonly uncertain?: readonly string[]
  readonly ledger?: Ledger
  readonly registration?: Registration
}

export interface AccountField {
  readonly says: string
  readonly pattern: string
  readonly example: string
  /** @default true */
  readonly required?: false
  /** In a path, `/` becomes `%2F`. */
  readonly encoded?: true
}

export type Auth =
  | { readonly kind: 'bearer' }
  /** `authorization: SSWS key`. */
  | { readonly kind: 'scheme'; readonly name: string }
  | { readonly kind: 'header'; readonly name: string }
  /** Basic credentials: the key is the user, without a password. */
  | { readonly kind: 'user' }
  /** The key is `id:secret`, and buys an access token. */
  | { readonly kind: 'client'; readonly path: string; readonly form: Readonly<Record<string, string>> }

/** A JSON path, such as `data.0.id`; `links[rel=next].href` picks from a list; `''` is the whole. */
export type Path = string

export interface Call {
  /** @default 'GET' */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** A parameter whose value is not known is left out. */
  readonly query?: Readonly<Record<string, string>>
  /** As JSON. A field whose value is not known is left out. */
  readonly json?: unknown
  /** As a form. */
  readonly form?: Readonly<Record<string, string>>
}

/** The sender's own list of what it sent, or wanted to send. */
export interface Ledger {
  /** How far back it goes. */
  readonly back: Duration
  readonly list: Call
  readonly items: Path
  readonly next: Paging
  /** Newest first: a page from before the stretch ends the list. @default every page is read */
  readonly newestFirst?: true
  /** As its webhook has it. Null: only the whole item tells. */
  readonly type: Path | null
  /** ISO 8601 or epoch seconds. Null: it does not say. */
  readonly time: Path | null
  /** Has a 2xx if we have acknowledged it. Our records are asked all the same, unless the list has too little to name it. */
  readonly acknowledged?: Path
  /** The item as its webhook would be. */
  readonly delivery: AsDelivery
  /** Asked for each item that is not acknowledged, since the list has too little of it. `{item}` is its id. */
  readonly whole?: Call & { readonly id: Path }
  /** The sender delivers it again itself; else we take the item as it is. `{item}` is its id. */
  readonly redeliver?: Call & { readonly id: Path }
  /** If a list is that of one endpoint: which one is ours. `{hook}` */
  readonly hook?:
    | 'registered'
    | { readonly item: Call & { readonly at: Path }; readonly whole: Call; readonly at: Path }
  /** What this copy may lack beside the webhook. */
  readonly lacks: string
}

export interface AsDelivery {
  /** Where the body is; text is taken as it is. Null: the list has no body. */
  readonly body: Path | null
  /** A list in the body, with this item in it alone. */
  readonly wrap?: string
  /** Where all headers are. */
  readonly headersAt?: Path
  /** Single headers: from a path, or `{hook}`. */
  readonly headers?: Readonly<Record<string, Path>>
}

export type Paging =
  /** The id of the last item is the next page's parameter. */
  | { readonly kind: 'last'; readonly id: Path; readonly more: Path }
  /** The answer has the next page's cursor. */
  | { readonly kind: 'cursor'; readonly at: Path }
  /** The answer's link header, or a field, has the next page's URL. Only its query is used. */
  | { readonly kind: 'link' }
  | { readonly kind: 'url'; readonly at: Path; readonly more?: Path }
  /** Counted on until there are no more. */
  | { readonly kind: 'skip'; readonly total: Path }

/** How an endpoint is registered. */
export interface Registration {
  readonly list: Call
  readonly items: Path
  readonly next: Paging | null
  readonly id: Path
  readonly url: Path
  /** Null: they are switches of the endpoint, `<type>_events`. */
  readonly types: Path | null
  /** Its words for types are not those of its events, by which routes go. */
  readonly ownWords?: true
  /** `id` of each type, if types are objects. */
  readonly typeName?: Path
  readonly enabled?: { readonly at: Path; readonly is: readonly (string | boolean)[] }
  readonly lastError?: Path
  /** One endpoint has one type. */
  readonly single?: true
  readonly create: Call
  /** What the user has to name if there is no word for all. */
  readonly everything: readonly string[] | null
  /**
   * `ours`: we make one, `{secret}`. A path: the answer to `create` has it, and `listed` if the list has it too. Null: it is the
   * app's own. With `config`, it is no secret, and belongs into that field of the source's config.
   */
  readonly secret: 'ours' | { readonly at: Path; readonly listed?: Path; readonly config?: string } | null
  readonly update?: Call
  readonly remove: Call
  /** What a type looks like. */
  readonly example: string
}
