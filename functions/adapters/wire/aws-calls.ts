import type { DynamoCalls } from './dynamo-calls.ts'
import type { ObjectCalls } from './object-calls.ts'
import type { QueueCalls } from './queue-calls.ts'
import type { SecretCalls } from './secret-calls.ts'

/** Everything a receiver asks of AWS. */
export interface AwsCalls {
  readonly dynamo: DynamoCalls
  readonly queue: QueueCalls
  readonly objects: ObjectCalls
  readonly secrets: SecretCalls
  /** Opens the connections that the first delivery will need, so that they are not opened in its time. Never fails. */
  prime(): Promise<void>
}
