import { eventClaims, eventMoves } from '../adapters/dynamodb-events.ts'
import { deliveryKeeping } from '../adapters/dynamodb-kept-deliveries.ts'
import { bodyKeeping } from '../adapters/s3-and-dynamodb-bodies.ts'
import { sqsQueue } from '../adapters/sqs-queue.ts'

/** What a receiver writes to. */
export const RECEIVER_STORES = {
  claims: eventClaims,
  events: eventMoves,
  bodies: bodyKeeping,
  queue: sqsQueue,
  deliveries: deliveryKeeping,
} as const
