/** What our queue asks of SQS. Two clients answer: the SDK (sdk/) and our own (lean/). */
export interface QueueCalls {
  sendMessage(message: QueueMessage): Promise<Sent>
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
  /** What failed, by its place in the batch; `certain`: its own fault, and no attempt before may have enqueued it. */
  | {
      readonly kind: 'sent'
      readonly failed: ReadonlyMap<number, { readonly cause: string; readonly certain: boolean }>
    }
  | { readonly kind: 'refused'; readonly error: Error }
