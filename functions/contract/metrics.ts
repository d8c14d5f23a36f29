export const METRICS_NAMESPACE = 'Hooklatch'

/** One name, one fact: a fault, a duplicate and an in-flight delivery are never counted as the same thing. */
export const METRICS = [
  'Accepted',
  'Duplicate',
  'InFlight',
  'Rejected',
  'Unavailable',
  'Handshake',
  'PreviousSecret',
  'Drill',
  'ExecuteApi',
  'BodyChanged',
  'BodyNotKept',
  'Superseded',
  'Latency',
  'Done',
  'AttemptFailed',
  'Failed',
  'Ignored',
  'Skipped',
  'Busy',
  'Malformed',
  'Forged',
  'Unconfirmed',
  'Recovered',
  'Waiting',
  'Lost',
  'Unreadable',
  'RecoveryLag',
  'PausedSeconds',
  'Missing',
  'Taken',
  'Compared',
] as const

export type Metric = (typeof METRICS)[number]

/**
 * Every line of every source would carry them, and no alarm watches them: they are fields of the lines, which `stats` and the dashboard count, and no
 * metrics at $0.30 a month for each source. A count of zero is none either.
 */
export const ONLY_IN_LINES: ReadonlySet<Metric> = new Set<Metric>(['Latency', 'Done'])

/**
 * What nearly every delivery counts as. A filter of the log group reads them out of the lines (lib/constructs/line-metrics.ts), so a
 * line that counts nothing else needs no directive for metrics, which would be 122 of its bytes.
 */
export const BY_FILTER: ReadonlySet<Metric> = new Set<Metric>(['Accepted', 'Duplicate'])

/** Two environments in one account are told apart. Reasons are counted besides, where there is one. */
export const METRIC_DIMENSIONS = ['Environment', 'Source'] as const

/** What a destination's function counts, besides: whatever source it came from. */
export const DESTINATION_DIMENSIONS = ['Environment', 'Destination'] as const

/** What stands for the source where there is none: recovery walks all of them, and a malformed message names none. */
export const ALL_SOURCES = '(all)'
export const UNKNOWN_SOURCE = '(unknown)'
