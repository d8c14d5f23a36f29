import type { DynamoCalls } from './dynamo-calls.ts'
import type { ObjectCalls } from './object-calls.ts'
import type { QueueCalls, SendCalls } from './queue-calls.ts'
import type { SecretCalls } from './secret-calls.ts'

/** Everything we ask of AWS. */
export interface AwsCalls {
  readonly dynamo: DynamoCalls
  readonly queue: QueueCalls
  readonly objects: ObjectCalls
  readonly secrets: SecretCalls
  /** Opens the connections that the first delivery will need, so they are not opened in its time. Never fails. */
  prime(): Promise<void>
}

/** The part of it that the receive and publish functions make, and that their bundles hold. */
export interface ReceiverCalls extends Pick<AwsCalls, 'prime'> {
  readonly dynamo: Pick<DynamoCalls, 'putItem' | 'updateItem' | 'getItem' | 'transactWriteItems'>
  readonly queue: SendCalls
  readonly objects: Pick<AwsCalls['objects'], 'putNew' | 'put'>
  readonly secrets: SecretCalls
}
