import { type Seconds, seconds } from './brands.ts'

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const

/** `90s`, `15m`, `36h`, `30d`. */
export type Duration = `${number}${keyof typeof UNIT_SECONDS}`

const PATTERN = /^([1-9]\d{0,8})([smhd])$/

/** A hundred years: an instant so far from now still has a date. */
const MOST_SECONDS = 36_500 * UNIT_SECONDS.d

export const isDuration = (value: unknown): value is Duration =>
  typeof value === 'string' && secondsIn(value) <= MOST_SECONDS

/** Not a number if there are none. */
const secondsIn = (text: string): number => {
  const [, amount, unit] = PATTERN.exec(text) ?? []
  return Number(amount) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS]
}

export const durationSeconds = (duration: Duration): Seconds => {
  if (!isDuration(duration)) {
    throw new TypeError(
      `"${duration}" is not a duration: expected a whole number and a unit, such as 90s, 15m, 36h or 30d`,
    )
  }
  return seconds(secondsIn(duration))
}
