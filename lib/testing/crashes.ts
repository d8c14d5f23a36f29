/** Where a function can be killed: the receiver at the first two, the worker at the others. */
export const CRASH_POINTS = ['after-claim', 'after-send', 'before-handler', 'after-effect', 'after-done'] as const

export type CrashPoint = (typeof CRASH_POINTS)[number]

/** One run of a function. Once it is dead, nothing that it waits for ever comes. */
export type Life = ReturnType<typeof newLife>

export type Crashes = ReturnType<typeof crashes>

export const crashes = () => {
  const asked = new Map<CrashPoint, number>()
  const happened: CrashPoint[] = []
  const isDue = (point: CrashPoint): boolean => {
    const left = asked.get(point) ?? 0
    if (left > 0) asked.set(point, left - 1)
    return left > 0
  }
  return {
    /** Those that have happened, in order. */
    happened: happened as readonly CrashPoint[],
    ask(point: CrashPoint, times: number): void {
      if (!CRASH_POINTS.includes(point)) {
        throw new TypeError(`"${point}" is not a point to crash at: expected one of ${CRASH_POINTS.join(', ')}`)
      }
      asked.set(point, times)
    },
    newLife: () => newLife(isDue, happened),
  }
}

const newLife = (isDue: (point: CrashPoint) => boolean, happened: CrashPoint[]) => {
  const death = Promise.withResolvers<'died'>()
  let isOver = false
  const mortal = <Port extends object>(port: Port): Port =>
    Object.fromEntries(
      Object.entries(port).map(([name, value]) => [
        name,
        typeof value === 'function' ? (...given: unknown[]) => (isOver ? NEVER : value(...given)) : value,
      ]),
    ) as Port
  return {
    get isOver(): boolean {
      return isOver
    },
    /** Ends with the life. */
    death: death.promise,
    /** Dies here if a test has asked for it; what is awaited then never comes. */
    async passes(point: CrashPoint): Promise<void> {
      if (!isDue(point)) return
      isOver = true
      happened.push(point)
      death.resolve('died')
      await NEVER
    },
    /** The same functions, which a dead process does not call. */
    mortal,
    /** The same world, every store of which is mortal. */
    mortalWorld: <Whole extends object>(world: Whole): Whole =>
      Object.fromEntries(
        Object.entries(world).map(([name, part]) => [name, isStore(part) ? mortal(part) : part]),
      ) as Whole,
  }
}

const isStore = (part: unknown): part is object => typeof part === 'object' && part !== null && !(part instanceof Map)

const NEVER = new Promise<never>(() => {})
