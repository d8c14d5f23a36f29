/** One POST to a service of the user's. */
export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly timeoutSeconds: number
  readonly privateAddresses: boolean
  /** Aborted when the attempt has to be given up. */
  readonly signal: AbortSignal
}

export interface PostAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
}

/** To a queue of the user's. */
export interface EnvelopeMessage {
  readonly queueUrl: string
  readonly text: string
  readonly attributes: Readonly<Record<string, string>>
  /** For a FIFO queue. */
  readonly fifo?: { readonly group: string; readonly deduplication: string }
}

/** Where bytes lie that did not fit into a message. */
export interface KeptObject {
  readonly bucket: string
  readonly key: string
}
