/** What the reconciler is told of a source, beside what is in its bundle. */
export interface ReconciledTold {
  /** The secret that holds the API key, and nothing else. */
  readonly apiKey: string
  readonly url: string
}

/** What a secret for an API key holds before anybody has set one. */
export const NO_API_KEY = 'none'
