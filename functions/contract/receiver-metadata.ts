/**
 * What a receiver says of itself in the cloud assembly, beside its template: `hooklatch start` reads it, AWS never sees it.
 * It is on the construct's own path, so all that lies below that path is the receiver's.
 */
export const RECEIVER_METADATA = 'hooklatch:receiver'

export interface ReceiverMetadata {
  /** The user's module, from where the app was run. Absent: the sample. */
  readonly worker?: string
  /** The module that exports the sources, if the app named it. */
  readonly sourcesModule?: string
  /** The sources as plain data. */
  readonly sources: unknown
  /** The destinations, if there are any. */
  readonly destinations?: unknown
}

/** Where a receiver's own stores are, below its path: the ids of its constructs are a contract. */
export const RECEIVER_PATHS = {
  eventsTable: 'Tables/Events/Resource',
  bodiesTable: 'Tables/Bodies/Resource',
  bodiesBucket: 'Bodies/Bucket/Resource',
  queueUrl: 'Events/Queue/Resource',
  deadLettersUrl: 'Events/DeadLetters/Resource',
  orderedQueueUrl: 'OrderedEvents/Queue/Resource',
  orderedDeadLettersUrl: 'OrderedEvents/DeadLetters/Resource',
} as const

export const WORKER_PATH = 'Worker/Function/Resource'

export const destinationPath = (name: string): string => `Destinations/${name}/Handler/Function/Resource`
