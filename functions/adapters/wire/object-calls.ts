/** What our bodies ask of S3. Three answer: the SDK (sdk/), our own client (lean/) and the memory AWS (lib/memory-aws). */
export interface ObjectCalls {
  /** Writes where there is nothing; what is there stays as it is. */
  putNew(bucket: string, key: string, object: StoredObject): Promise<'written' | 'exists'>
  /** Whatever is there is overwritten. */
  put(bucket: string, key: string, object: StoredObject): Promise<void>
  /** Every object whose key begins like this. */
  list(bucket: string, prefix: string): Promise<readonly ListedObject[]>
  get(bucket: string, key: string): Promise<StoredObject | undefined>
}

export interface ListedObject {
  readonly key: string
  /** In bytes. */
  readonly size: number
}

export interface StoredObject {
  readonly bytes: Uint8Array
  readonly metadata: Readonly<Record<string, string>>
}
