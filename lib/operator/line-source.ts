import type { Millis } from '../../functions/domain/brands.ts'
import type { SourceStats, StatsQuery } from './source-stats.ts'

export interface LineQuery {
  readonly from: Millis
  readonly until: Millis
  /** Only lines that hold this text; a source may return others as well. */
  readonly contains?: string | undefined
  /** How long it may take; then it is given up with an error, and what has come so far has come. @default no end */
  readonly withinMs?: number | undefined
}

/** The lines the functions wrote, oldest first: CloudWatch Logs in AWS, a file on a laptop. */
export interface LineSource {
  lines(query: LineQuery): AsyncIterable<string>
  /** Counted where the lines are; undefined if that is not allowed, or has more rows than one answer. */
  counted?(query: StatsQuery): Promise<readonly SourceStats[] | undefined>
}
