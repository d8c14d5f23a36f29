/** What we ask of SQS. Three answer: the SDK (sdk/), our own client (lean/) and the memory AWS (lib/memory-aws). */
export interface QueueCalls extends SendCalls {
  /** Up to ten messages, hidden from others for the queue's visibility timeout. Waits for the first one so long at most. */
  receiveMessages(queueUrl: string, options: ReceiveOptions): Promise<readonly ReceivedMessage[]>
  /** Up to ten; answers those that could not be deleted, by their place. */
  deleteMessages(queueUrl: string, receipts: readonly string[]): Promise<readonly number[]>
  /** Hides a received message for so many seconds from now on. `gone`: it was deleted, or received again since. */
  changeVisibility(queueUrl: string, receipt: string, seconds: number): Promise<'changed' | 'gone'>
  queueState(queueUrl: string): Promise<QueueState>
}

/** All that a receiver asks of it. */
export interface SendCalls {
  /** `ascii-json`: its body is JSON of printable ASCII characters, and need not be looked through for others. */
  sendMessage(message: QueueMessage, body?: 'ascii-json'): Promise<Sent>
  sendMessageBatch(QueueUrl: string, entries: readonly Omit<QueueMessage, 'QueueUrl'>[]): Promise<BatchSent>
}

export interface QueueMessage {
  readonly QueueUrl: string
  readonly MessageBody: string
  readonly MessageAttributes: Readonly<Record<string, { readonly DataType: 'String'; readonly StringValue: string }>>
  readonly MessageGroupId?: string
  readonly MessageDeduplicationId?: string
}

/**
 * `refused`: a 4xx to the first and only attempt, so nothing was enqueued. After a repeat the attempt before may have been
 * applied; then nobody knows, and the fault is thrown.
 */
export type Sent = { readonly kind: 'sent' } | { readonly kind: 'refused'; readonly error: Error }

export type BatchSent =
  /** What failed, by its place in the batch; every other entry was sent. */
  | { readonly kind: 'sent'; readonly failed: ReadonlyMap<number, EntryFailure> }
  | { readonly kind: 'refused'; readonly error: Error }

export interface EntryFailure {
  readonly cause: string
  /** Its own fault, and no attempt before may have enqueued it. */
  readonly certain: boolean
}

export interface ReceiveOptions {
  readonly waitSeconds: number
  readonly signal?: AbortSignal
}

export interface ReceivedMessage {
  readonly messageId: string
  readonly receipt: string
  readonly body: string
  /** SQS's own, such as `ApproximateReceiveCount`, `SentTimestamp` and `MessageGroupId`. */
  readonly system: Readonly<Record<string, string>>
  readonly attributes: Readonly<Record<string, string>>
}

export interface QueueState {
  readonly arn: string
  /** Approximate, and hidden ones included. */
  readonly messages: number
}
