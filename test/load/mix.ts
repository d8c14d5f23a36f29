/** What a load is made of. Shares are of all deliveries. */
export interface Mix {
  readonly deliveries: number
  /** Distinct events with a valid signature. */
  readonly events: number
  readonly connections: number
  /** Repeats sent after the first delivery of their event was answered. */
  readonly duplicates: number
  /** Repeats sent together with the first one. */
  readonly concurrent: number
  readonly forged: number
  readonly malformed: number
  readonly seed: number
}

export type Job =
  | { readonly kind: 'event'; readonly event: number; readonly copies: number }
  | { readonly kind: 'duplicate' | 'forged' | 'malformed'; readonly number: number }

/** The jobs of a mix, shuffled the same way for the same seed. What the shares leave over is filled with duplicates. */
export const jobsOf = (mix: Mix): readonly Job[] => {
  const count = (share: number): number => Math.round(mix.deliveries * share)
  const [concurrent, forged, malformed] = [count(mix.concurrent), count(mix.forged), count(mix.malformed)]
  const duplicates = mix.deliveries - mix.events - concurrent - forged - malformed
  if (duplicates < 0) {
    throw new RangeError(`${mix.events} events and the shares of the rest are more than ${mix.deliveries} deliveries`)
  }
  const copies = spread(concurrent, mix.events)
  const jobs: Job[] = [
    ...copies.map((more, event): Job => ({ kind: 'event', event, copies: 1 + more })),
    ...numbered('duplicate', duplicates),
    ...numbered('forged', forged),
    ...numbered('malformed', malformed),
  ]
  return eventFirst(shuffled(jobs, randomFrom(mix.seed)))
}

/** A duplicate has to have something to repeat. */
const eventFirst = (jobs: Job[]): Job[] => {
  const [event] = jobs.splice(
    jobs.findIndex(({ kind }) => kind === 'event'),
    1,
  )
  return event ? [event, ...jobs] : jobs
}

/** As many events as the shares leave room for. */
export const eventsOf = (mix: Omit<Mix, 'events'>): number =>
  Math.max(1, Math.round(mix.deliveries * (1 - mix.duplicates - mix.concurrent - mix.forged - mix.malformed)))

const numbered = (kind: 'duplicate' | 'forged' | 'malformed', count: number): Job[] =>
  Array.from({ length: count }, (_, number) => ({ kind, number }))

/** Bursts of up to eight copies: every eighth event gets seven more, until there are none left. */
const BURST = 7

const spread = (copies: number, over: number): number[] => {
  const more = Array<number>(over).fill(0)
  let left = copies
  for (let round = 0; left > 0; round++) {
    for (let at = round % (BURST + 1); at < over && left > 0; at += BURST + 1) {
      const burst = Math.min(BURST, left)
      more[at] = (more[at] ?? 0) + burst
      left -= burst
    }
  }
  return more
}

const shuffled = <Value>(values: readonly Value[], random: () => number): Value[] => {
  const all = [...values]
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[all[at], all[other]] = [all[other] as Value, all[at] as Value]
  }
  return all
}

/** mulberry32 */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
