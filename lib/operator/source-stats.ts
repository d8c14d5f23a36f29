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

export type Tally = Readonly<typeof NOTHING>

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

export const NOTHING = {
  received: 0,
  accepted: 0,
  duplicate: 0,
  inFlight: 0,
  rejected: 0,
  rejectedBy: {} as Readonly<Record<string, number>>,
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
