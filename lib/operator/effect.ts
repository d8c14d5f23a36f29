/** An item of the user's own that the handler's `commit` wrote. Only a local instance notes it: in AWS it is the user's data. */
export interface Effect {
  readonly table: string
  readonly key: Readonly<Record<string, unknown>>
}

/** As the item is now; null if it is gone. */
export interface SeenEffect extends Effect {
  readonly item: Readonly<Record<string, unknown>> | null
}
