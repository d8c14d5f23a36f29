import type { HeaderMap } from './delivery.ts'

/** A request to any HTTP function, whichever front door it came through. */
export interface HttpRequest {
  readonly method: string
  /** As called: `/orders/1`. */
  readonly path: string
  readonly query: string
  readonly headers: HeaderMap
  readonly body: Uint8Array
}

export interface HttpAnswer {
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly base64: boolean
}

/** What an HTTP function of ours answers. */
export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
