/** One HTTP call: no redirect is followed, and it is bounded in time and size. A fault is thrown. */
export type Http = (request: HttpRequest) => Promise<HttpAnswer>

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

export type ApiAnswer =
  | { readonly kind: 'answered'; readonly json: unknown; readonly headers: HttpAnswer['headers'] }
  /** It asks for patience (429, or a 503 with `retry-after`). */
  | { readonly kind: 'wait'; readonly seconds: number; readonly why: string }
  /** To ask again would not help. */
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unavailable'; readonly cause: string }
