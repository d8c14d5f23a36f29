export interface Reason {
  /** @default every one */
  readonly callers?: readonly string[]
  readonly actions: readonly string[]
  /** Parts of their ARNs. @default every one */
  readonly resources?: readonly string[]
  readonly reason: string
}

/** What takes messages for a destination, and for several. */
const HANDERS = ['DestinationscrmHandler', 'DestinationsallHandler']
const CONSUMERS = ['Worker', 'DestinationsbillingHandler', ...HANDERS, 'FanOut']

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
    callers: [...CONSUMERS, 'Bury'],
    actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
    reason: 'Lambda polls the queue of a mapping, with the role of the function',
  },
  {
    actions: ['s3:PutObject', 's3:GetObject'],
    reason: 'The prefix is the retention that a source has chosen, and the suite has sources of few',
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
    callers: CONSUMERS,
    actions: ['dynamodb:GetItem'],
    resources: ['TablesEvents'],
    reason: 'After a commit that was refused, for a message without a MAC, and for one that is too old to be handled',
  },
  {
    callers: CONSUMERS,
    actions: ['dynamodb:PutItem'],
    resources: ['TablesEvents'],
    reason: 'A record that is gone is made again from its message (test/simulation)',
  },
  {
    callers: ['Bury'],
    actions: ['dynamodb:GetItem'],
    resources: ['TablesEvents'],
    reason: 'What became of the event of a dead letter (test/simulation)',
  },
  {
    callers: [...CONSUMERS, 'Bury'],
    actions: ['dynamodb:GetItem'],
    resources: ['TablesBodies'],
    reason: 'A message may point to a body in the table; today only those do whose body is too large for it',
  },
  {
    callers: HANDERS,
    actions: ['dynamodb:UpdateItem'],
    resources: ['TablesBodies'],
    reason: 'The body of an event that failed for good is kept; none of the suite fails there',
  },
  {
    callers: ['Publish', 'Recover', 'Operate', 'Reconcile'],
    actions: ['sqs:SendMessage'],
    resources: ['OrderedEventsQueue'],
    reason: 'For events of a source with an ordering key; those of the suite are received',
  },
  {
    callers: ['Publish', 'Reconcile'],
    actions: ['sqs:SendMessage'],
    resources: ['Destinations', 'SeveralEventsQueue'],
    reason: 'For a source with routes; the internal and the compared one of the suite have none',
  },
  {
    callers: ['FanOut'],
    actions: ['sqs:SendMessage'],
    resources: ['EventsQueue'],
    reason: 'A copy for any destination; no route of the suite has this one among several',
  },
  {
    callers: CONSUMERS,
    actions: ['sqs:ChangeMessageVisibility'],
    resources: ['OrderedEventsQueue', 'Destinations', 'SeveralEventsQueue'],
    reason: 'After a try that failed; none of the suite fails there',
  },
  {
    callers: ['Recover', 'Operate'],
    actions: ['lambda:GetEventSourceMapping', 'lambda:UpdateEventSourceMapping'],
    reason: 'To pause and resume any destination; suite and probes pause some (test/unit/operate/pause.test.ts)',
  },
  {
    callers: ['Reconcile'],
    actions: ['dynamodb:BatchGetItem'],
    resources: ['TablesEvents'],
    reason: 'Whether what it has taken came by itself after all (test/flow/reconcile-scheduled.test.ts)',
  },
]
