import { iso, type Millis, millis } from '../../functions/domain/brands.ts'

export interface StatsQuery {
  readonly from: Millis
  readonly until: Millis
  readonly source?: string | undefined
  readonly bucketMs: number
}

export interface SourceStats extends Tally {
  readonly source: string
  /** Of 0 to 1: duplicates among all that were accepted or duplicates. */
  readonly duplicateRate: number
  /** Milliseconds from the delivery to its answer; null if there was none. */
  readonly latency: { readonly p50: number; readonly p95: number; readonly p99: number } | null
  readonly buckets: readonly (Tally & { readonly time: string; readonly latencyP95: number | null })[]
}

export interface Tally {
  readonly received: number
  readonly accepted: number
  readonly duplicate: number
  readonly inFlight: number
  readonly rejected: number
  readonly rejectedBy: Readonly<Record<string, number>>
  readonly unavailable: number
  readonly done: number
  readonly failed: number
  readonly ignored: number
}

export const sourceStats = (
  source: string,
  tally: Tally,
  latency: SourceStats['latency'],
  buckets: SourceStats['buckets'],
): SourceStats => {
  const { accepted, duplicate } = tally
  const duplicateRate = accepted + duplicate === 0 ? 0 : duplicate / (accepted + duplicate)
  return { source, ...tally, duplicateRate, latency, buckets }
}

export const NOTHING: Tally = {
  received: 0,
  accepted: 0,
  duplicate: 0,
  inFlight: 0,
  rejected: 0,
  rejectedBy: {},
  unavailable: 0,
  done: 0,
  failed: 0,
  ignored: 0,
}

/** When each begins. */
export const bucketTimes = ({ from, until, bucketMs }: StatsQuery): readonly string[] =>
  Array.from({ length: Math.max(1, Math.ceil((until - from) / bucketMs)) }, (_, index) =>
    iso(millis(from + index * bucketMs)),
  )
