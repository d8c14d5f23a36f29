/** What our stores ask of DynamoDB, in plain values. Three answer: the SDK (sdk/), our own client (lean/) and the memory AWS (lib/memory-aws). */
export interface DynamoCalls {
  putItem(put: PutItem): Promise<Written>
  updateItem(update: UpdateItem): Promise<Written>
  getItem(get: GetItem): Promise<Item | undefined>
  /** All or none. A token that was used before, with the same writes, changes nothing and is answered as it was the first time. */
  transactWriteItems(transaction: Transaction): Promise<Transacted>
  /** At most a hundred keys of one table, no key twice; those it did not get to come back. */
  batchGetItem(get: BatchGet): Promise<BatchGot>
  /** One page of the items of one partition, of a table or an index, in the order of the sort key. */
  query(query: Query): Promise<Queried>
}

export type Item = Record<string, unknown>

interface Conditional {
  readonly TableName: string
  readonly ConditionExpression?: string | undefined
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined
  readonly ExpressionAttributeValues?: Item | undefined
  readonly ReturnValuesOnConditionCheckFailure?: 'ALL_OLD' | 'NONE' | undefined
}

export interface PutItem extends Conditional {
  readonly Item: Item
  readonly ReturnValues?: 'ALL_OLD' | 'NONE'
}

export interface UpdateItem extends Conditional {
  readonly Key: Item
  readonly UpdateExpression: string
  readonly ReturnValues?: 'ALL_NEW' | 'NONE'
}

export interface GetItem {
  readonly TableName: string
  readonly Key: Item
  readonly ConsistentRead?: boolean
}

export interface BatchGet {
  readonly TableName: string
  readonly Keys: readonly Item[]
  readonly ConsistentRead?: boolean
}

export interface BatchGot {
  /** In no order; absent ones are left out. */
  readonly items: readonly Item[]
  readonly unprocessed: readonly Item[]
}

export interface Query {
  readonly TableName: string
  readonly IndexName?: string
  readonly KeyConditionExpression: string
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined
  readonly ExpressionAttributeValues: Item
  /** @default true: smallest first */
  readonly ScanIndexForward?: boolean
  readonly Limit?: number
  readonly ExclusiveStartKey?: Item | undefined
}

export interface Queried {
  readonly items: readonly Item[]
  /** Where the next page starts; `undefined` when this was the last. */
  readonly lastKey: Item | undefined
}

/** A write in a transaction: one of ours, or of a handler's own. */
export type TransactWrite = Readonly<
  Partial<Record<'Put' | 'Update' | 'Delete' | 'ConditionCheck', Readonly<Record<string, unknown>>>>
>

export interface Transaction {
  /** 1 to 36 characters; names this set of writes for ten minutes. */
  readonly ClientRequestToken: string
  readonly TransactItems: readonly TransactWrite[]
}

/** A condition that does not hold is an answer; every other fault is thrown. */
export type Written =
  /** With the item as it now is, or as it was, where that was asked for. */
  | { readonly kind: 'written'; readonly item: Item | undefined }
  /** With the item that stood in the way, where it was asked for and the engine told it. */
  | { readonly kind: 'condition-failed'; readonly item: Item | undefined }

export type Transacted =
  | { readonly kind: 'written' }
  | { readonly kind: 'cancelled'; readonly reasons: readonly Cancellation[]; readonly error: Error }

/** Why one item of a transaction stood in its way, `None` where it did not. */
export interface Cancellation {
  readonly code: string
  readonly item: Item | undefined
}
