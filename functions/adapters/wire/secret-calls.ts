/** What we ask of Secrets Manager. Three answer: the SDK (sdk/), our own client (lean/) and the memory AWS (lib/memory-aws). */
export interface SecretCalls {
  /** The current version; `undefined` when it holds no text. */
  getSecret(id: string): Promise<SecretVersion | undefined>
  /** A version that is not current yet: it bears a label of ours in the place of `AWSCURRENT`. */
  putPendingSecret(id: string, text: string): Promise<string>
  /** Makes a version current in the place of another; `changed` when that one is not current any more, and nothing was moved. */
  makeSecretCurrent(id: string, version: string, instead: string): Promise<'moved' | 'changed'>
}

export interface SecretVersion {
  readonly text: string
  readonly version: string
  /** Epoch milliseconds; null where the service does not say. */
  readonly createdAt: number | null
}

/** On a version that is not current yet. It stays on the last one written, and means nothing there. */
export const PENDING_LABEL = 'HOOKLATCHPENDING'
