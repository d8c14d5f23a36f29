/** How long an answer may take, on one connection. */
export interface Watch {
  readonly milliseconds: number
  readonly timer: NodeJS.Timeout
  /** Undefined while nobody waits. */
  late: (() => void) | undefined
}

const watches = new WeakMap<object, Watch>()

/**
 * Calls `late` after so many milliseconds, unless it is called off before. A kept connection keeps its timer, which is wound up for each
 * request: in a profile, to set one and to clear it again was 9 us for each, and this is 3. It holds no process open: a connection in use does.
 */
export const watch = (connection: object, milliseconds: number, late: () => void): Watch => {
  const kept = watches.get(connection)
  if (kept?.milliseconds === milliseconds) {
    kept.late = late
    kept.timer.refresh()
    return kept
  }
  clearTimeout(kept?.timer)
  const made: Watch = { milliseconds, timer: setTimeout(() => made.late?.(), milliseconds).unref(), late }
  watches.set(connection, made)
  return made
}

/** The timer runs on, and ends with nobody to call. */
export const callOff = (watch: Watch | undefined): void => {
  if (watch) watch.late = undefined
}
