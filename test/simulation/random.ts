/** A seeded source of chance (mulberry32): the same seed, the same schedule, on every machine. */
export interface Chance {
  /** In [0, 1). */
  next(): number
  below(limit: number): number
  between(low: number, high: number): number
  happens(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
}

export const chance = (seed: number): Chance => {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    happens: probability => next() < probability,
    pick: items => items[below(items.length)] as (typeof items)[number],
  }
}
