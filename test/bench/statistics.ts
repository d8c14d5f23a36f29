/** A ratio with its bootstrap 95 % interval. */
export interface Interval {
  readonly median: number
  readonly low: number
  readonly high: number
}

const RESAMPLES = 2_000

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((left, right) => left - right)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

/** The median, and between which medians 95 % of resamplings lie. */
export const intervalOf = (values: readonly number[], random: () => number): Interval => {
  const medians = Array.from({ length: RESAMPLES }, () =>
    median(Array.from(values, () => values[Math.floor(random() * values.length)] ?? Number.NaN)),
  ).sort((left, right) => left - right)
  const at = (share: number): number => medians[Math.floor(share * (RESAMPLES - 1))] ?? Number.NaN
  return { median: round(median(values)), low: round(at(0.025)), high: round(at(0.975)) }
}

const round = (value: number): number => Math.round(value * 1000) / 1000

export const shuffled = <Value>(values: readonly Value[], random: () => number): Value[] =>
  values
    .map(value => ({ value, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ value }) => value)
