/**
 * The search itself never waits: what it has not computed before it asks for by throwing this, and goes on when it is there.
 * Millions of its steps need a few thousand computations.
 */
export class Missing extends Error {
  readonly compute: () => Promise<void>

  constructor(compute: () => Promise<void>) {
    super('not computed yet')
    this.compute = compute
  }
}

export const missing = (compute: () => Promise<void>): never => {
  throw new Missing(compute)
}

/** Takes the step, computing what it lacks on the way. */
export const taken = async <Value>(step: () => Value): Promise<Value> => {
  for (;;) {
    try {
      return step()
    } catch (error) {
      if (!(error instanceof Missing)) throw error
      await error.compute()
    }
  }
}
