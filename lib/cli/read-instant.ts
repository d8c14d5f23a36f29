import { type Millis, millis } from '../../functions/domain/brands.ts'
import { durationSeconds, isDuration } from '../../functions/domain/duration.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'

/** So long ago, or an instant; without an offset it is UTC. `0s` is now. */
export const readInstant = (text: string, name: string): ((now: Millis) => Millis) | Refusal => {
  if (text === '0s') return now => now
  if (isDuration(text)) {
    const ago = durationSeconds(text) * 1000
    return now => millis(now - ago)
  }
  const instant = readIsoTime(text)
  if (instant !== undefined) return () => instant
  return refuse(
    `--${name} ${text} is neither a duration nor a time: expected such as 15m, 36h, 30d (at most 36500d) or 2026-11-16T01:00:00Z.`,
    2,
  )
}

/** A list of no time at all is empty, and reads like one of a time in which nothing came. */
export const refuseBackwards = (since: Millis, until: Millis): Refusal | undefined =>
  since < until ? undefined : refuse('--since is not before --until: there is no time between them.', 2)

/** Without an offset it is UTC, as on AWS; a local time would be another instant on each machine. */
export const readIsoTime = (text: string): Millis | undefined => {
  const [, day, time = '00:00', offset = 'Z'] = ISO_TIME.exec(text) ?? []
  const instant = Date.parse(`${day}T${time}${offset}`)
  // JavaScript takes the 31st of February for the 3rd of March.
  const exists = !Number.isNaN(instant) && new Date(`${day}T00:00Z`).toISOString().startsWith(`${day}T`)
  return exists ? millis(instant) : undefined
}

const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:\d\d)?)?$/
