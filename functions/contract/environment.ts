/** The variables that the stack sets on its functions. */
export const ENVIRONMENT = {
  /** Part of every fingerprint: the same event in `staging` and in `production` is two events. */
  environment: 'HOOKLATCH_ENVIRONMENT',
  eventsTable: 'HOOKLATCH_EVENTS_TABLE',
  bodiesTable: 'HOOKLATCH_BODIES_TABLE',
  bodiesBucket: 'HOOKLATCH_BODIES_BUCKET',
  queueUrl: 'HOOKLATCH_QUEUE_URL',
  /** For recovery: what waits for a destination that was removed goes there. */
  deadLettersUrl: 'HOOKLATCH_DEAD_LETTERS_URL',
  /** Set when a source names an ordering key. */
  orderedQueueUrl: 'HOOKLATCH_ORDERED_QUEUE_URL',
  /** Calls of the worker with one event before it fails, if the user says so. */
  tries: 'HOOKLATCH_TRIES',
  /** The queues of destinations, as JSON: their URLs by name. The worker's is `queueUrl`. */
  destinations: 'HOOKLATCH_DESTINATIONS',
  /** The destination that a function works for, unless it is the worker. */
  destination: 'HOOKLATCH_DESTINATION',
  /** What hands messages to the functions of destinations, as JSON: ids of event source mappings by name. */
  mappings: 'HOOKLATCH_MAPPINGS',
  /** Where a function of ours hands events over to, as JSON. */
  target: 'HOOKLATCH_TARGET',
  /** How fast a destination's function works, and how long what failed waits, as JSON. */
  pace: 'HOOKLATCH_PACE',
  /** The user's own, if there is one: deliveries that come to another address are counted. */
  domain: 'HOOKLATCH_DOMAIN',
  signingSecrets: 'HOOKLATCH_SIGNING_SECRETS',
  fingerprintKey: 'HOOKLATCH_FINGERPRINT_KEY',
  /** Of the reconciler, as JSON: for each source the secret with its API key, and the URL that its sender calls. */
  reconciled: 'HOOKLATCH_RECONCILED',
} as const

export type EnvironmentName = keyof typeof ENVIRONMENT
