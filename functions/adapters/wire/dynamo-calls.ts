/** What our stores ask of DynamoDB, in plain values. Two clients answer: the SDK (sdk/) and our own (lean/). */
export interface DynamoCalls {
  putItem(put: PutItem): Promise<Written>
  updateItem(update: UpdateItem): Promise<Written>
  getItem(get: GetItem): Promise<Item | undefined>
  transactWriteItems(transaction: Transaction): Promise<Transacted>
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

export interface Transaction {
  readonly ClientRequestToken: string
  readonly TransactItems: readonly { readonly Put: PutItem }[]
}

/** A condition that does not hold is an answer; every other fault is thrown. */
export type Written =
  /** With the item as it now is, where it was asked for. */
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
