export interface Turns {
  /** Waits until nobody else is at work, one after another. */
  turn(): Promise<void>
  /** One of them has ended. */
  leave(): void
}

/** So many are at work at once, until each ends or waits for a turn of its own. */
export const turns = (atWork: number): Turns => {
  const waiting: (() => void)[] = []
  let left = atWork

  const leave = (): void => {
    left -= 1
    if (left > 0) return
    const next = waiting.shift()
    if (!next) return
    left = 1
    next()
  }

  return {
    leave,
    turn: () =>
      new Promise(resolve => {
        waiting.push(resolve)
        leave()
      }),
  }
}
