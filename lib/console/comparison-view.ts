/** A source whose sender has a list of what it sent, and what the last comparison with it found. */
export interface ComparisonView {
  readonly source: string
  /** Null: it was never compared. */
  readonly last: {
    readonly at: string
    readonly actor: string
    /** Why the list was not read to its end, or nothing was taken; null: all is well. */
    readonly why: string | null
    readonly listed: number
    readonly missing: number
    readonly taken: number
  } | null
}
