export interface Reason {
  /** @default every one */
  readonly callers?: readonly string[]
  readonly actions: readonly string[]
  /** Parts of their ARNs. @default every one */
  readonly resources?: readonly string[]
  readonly reason: string
}

/** Grants that no recorded call uses, and why they are there. A row whose grants are all gone is an error. */
export const REASONS: readonly Reason[] = [
  {
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    reason: 'Lambda writes the lines of a function, outside its process',
  },
  {
    actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
    reason: 'Lambda sends the traces of a function, outside its process; X-Ray knows no resources',
  },
  {
    callers: ['Worker', 'Bury'],
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    reason: 'Lambda polls the queue of a mapping, with the role of the function',
  },
  {
    callers: ['Recover'],
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage'],
    reason: 'The queue of a destination that was removed (test/flow/removed-destinations.test.ts)',
  },
  {
    callers: ['Recover'],
    actions: ['sqs:SendMessage'],
    resources: ['EventsDeadLetters'],
    reason: 'What waited for a destination that was removed (test/flow/removed-destinations.test.ts)',
  },
  {
    callers: ['Recover', 'Operate'],
    actions: ['lambda:GetEventSourceMapping', 'lambda:UpdateEventSourceMapping'],
    reason: 'To pause and resume a destination (test/unit/operate/pause.test.ts)',
  },
  {
    actions: ['s3:PutObject', 's3:GetObject'],
    reason: 'The prefix is the retention that a source has chosen, and the suite has sources of few',
  },
  {
    callers: ['Operate'],
    actions: ['dynamodb:Query'],
    resources: ['Bodies'],
    reason: 'To find every body of an event that is erased, and its captures (test/flow/erase.test.ts)',
  },
  {
    actions: ['s3:ListBucket'],
    reason: 'Without it S3 answers 403 instead of 404 for a body that has expired',
  },
  {
    callers: ['Receive', 'Publish'],
    actions: ['dynamodb:GetItem'],
    resources: ['TablesEvents'],
    reason:
      'A guard leads to the record of another event, and a claim may be lost to one that is not named (test/conformance)',
  },
  {
    callers: ['Worker'],
    actions: ['dynamodb:GetItem'],
    resources: ['TablesEvents'],
    reason: 'After a commit that was refused, and for a message without a MAC',
  },
  {
    callers: ['Bury'],
    actions: ['dynamodb:GetItem'],
    resources: ['TablesEvents'],
    reason: 'What became of the event of a dead letter (test/simulation)',
  },
  {
    callers: ['Worker', 'Bury'],
    actions: ['dynamodb:GetItem'],
    resources: ['TablesBodies'],
    reason: 'A message may point to a body in the table; today only those do whose body is too large for it',
  },
  {
    callers: ['Publish', 'Recover', 'Operate', 'Reconcile'],
    actions: ['sqs:SendMessage'],
    resources: ['OrderedEventsQueue'],
    reason: 'For events of a source with an ordering key; those of the suite are received',
  },
  {
    callers: ['Worker'],
    actions: ['sqs:ChangeMessageVisibility'],
    resources: ['OrderedEventsQueue'],
    reason: 'After a try that failed; none of the suite fails in order',
  },
  {
    callers: ['Operate'],
    actions: ['dynamodb:BatchGetItem', 'dynamodb:Query'],
    reason: 'A replay of many events (test/cli)',
  },
  {
    callers: ['Operate'],
    actions: ['secretsmanager:GetSecretValue'],
    resources: ['SecretsSigning'],
    reason: 'Quarantined deliveries are verified with the secrets of today (test/flow)',
  },
]
