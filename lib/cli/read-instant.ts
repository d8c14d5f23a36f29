import { type Millis, millis } from '../../functions/domain/brands.ts'
import { durationSeconds, isDuration } from '../../functions/domain/duration.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'

const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/

/** So long ago, or an instant; without an offset it is UTC. `0s` is now. */
export const readInstant = (text: string, name: string): ((now: Millis) => Millis) | Refusal => {
  if (text === '0s') return now => now
  if (isDuration(text)) {
    const ago = durationSeconds(text) * 1000
    return now => millis(now - ago)
  }
  const instant = ISO.test(text)
    ? Date.parse(/T.*(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${withTime(text)}Z`)
    : Number.NaN
  if (!Number.isNaN(instant)) return () => millis(instant)
  return refuse(
    `--${name} ${text} is neither a duration nor a time: expected such as 15m, 36h, 30d or 2026-11-16T01:00:00Z.`,
    2,
  )
}

const withTime = (text: string): string => (text.includes('T') ? text : `${text}T00:00`)
