export const METRICS_NAMESPACE = 'Hooklatch'

/** One name, one fact: a fault, a duplicate and an in-flight delivery are never counted as the same thing. */
export const METRICS = [
  'Received',
  'Accepted',
  'Duplicate',
  'InFlight',
  'Rejected',
  'Unavailable',
  'Handshake',
  'BodyChanged',
  'BodyNotKept',
  'Superseded',
  'Latency',
] as const

export type Metric = (typeof METRICS)[number]
