import { copyClaims, eventClaims, eventMoves } from './dynamodb-events.ts'
import { dynamodbJobs } from './dynamodb-jobs.ts'
import { dynamodbKeptDeliveries } from './dynamodb-kept-deliveries.ts'
import { eventReads } from './dynamodb-listing.ts'
import { dynamodbPauses } from './dynamodb-pauses.ts'
import { dynamodbReconciler } from './dynamodb-reconciler.ts'
import { dynamodbRecovery } from './dynamodb-recovery.ts'
import { dynamodbReplays } from './dynamodb-replays.ts'
import { dynamodbWork, workFailures } from './dynamodb-work.ts'
import { erasures } from './erasures.ts'
import { bodyFetching, bodyKeeping } from './s3-and-dynamodb-bodies.ts'
import { sqsLeftQueues } from './sqs-left-queues.ts'
import { sqsQueue } from './sqs-queue.ts'
import { sqsVisibility } from './sqs-visibility.ts'

/** All stores of a deployment but its secrets, which a laptop has in a file. No function imports it. */
export const EVERY_STORE = {
  claims: eventClaims,
  copies: copyClaims,
  events: eventMoves,
  records: eventReads,
  bodies: bodyKeeping,
  keptBodies: bodyFetching,
  queue: sqsQueue,
  left: sqsLeftQueues,
  visibility: sqsVisibility,
  work: dynamodbWork,
  failures: workFailures,
  recovery: dynamodbRecovery,
  replays: dynamodbReplays,
  jobs: dynamodbJobs,
  pauses: dynamodbPauses,
  deliveries: dynamodbKeptDeliveries,
  erasures,
  reconciler: dynamodbReconciler,
} as const
