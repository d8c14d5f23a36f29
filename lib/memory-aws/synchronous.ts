/** The same calls with their answers at once: the state changes, and the answer is there, before they return. */
export type Synchronous<Calls> = {
  readonly [Name in keyof Calls]: Calls[Name] extends (...given: infer Given) => Promise<infer Answer>
    ? (...given: Given) => Answer
    : never
}

/** The state changes at the call; only the answer, or the error, comes as a promise. */
export const promised = <Calls extends object>(calls: Synchronous<Calls>): Calls =>
  Object.fromEntries(
    Object.entries(calls).map(([name, call]) => [name, async (...given: unknown[]) => (call as Call)(...given)]),
  ) as Calls

type Call = (...given: readonly unknown[]) => unknown

/** A part of the engine whose state can be kept, brought back and named. */
export interface Stateful {
  /** What `restore` takes; later calls do not change it. */
  snapshot(): unknown
  restore(snapshot: unknown): void
  /** One text for one state. */
  stateText(): string
}

/** Several of them as one. */
export const together = (parts: Readonly<Record<string, Stateful>>): Stateful => {
  const all = Object.entries(parts)
  return {
    snapshot: () => new Map(all.map(([name, part]) => [name, part.snapshot()])),
    restore: snapshot => {
      for (const [name, part] of all) part.restore((snapshot as Map<string, unknown>).get(name))
    },
    stateText: () => all.map(([name, part]) => `${name}:${part.stateText()}`).join('\n'),
  }
}
