import type { Millis } from '../../domain/brands.ts'
import type { JwtScheme } from '../../domain/scheme.ts'
import type { Distrust } from '../../domain/verdict.ts'
import { checkAge } from '../check-timestamp.ts'

/** Two clocks are never quite the same. */
const SKEW_SECONDS = 60

/** A token lives from `nbf` to `exp`. If a tolerance is set, it also has to be new. */
export const checkLifetime = (
  { toleranceSeconds, requires = [] }: JwtScheme,
  claims: Readonly<Record<string, unknown>>,
  detachedAt: number | undefined,
  now: Millis,
): Distrust | undefined => {
  const { exp, nbf, iat } = claims
  if ([exp, nbf, iat].some(time => time !== undefined && !isTime(time))) return 'timestamp-malformed'
  if (requires.some(name => claims[name] === undefined)) return 'timestamp-missing'
  if (isTime(exp) && now > (exp + SKEW_SECONDS) * 1000) return 'timestamp-stale'
  if (isTime(nbf) && now < (nbf - SKEW_SECONDS) * 1000) return 'timestamp-future'
  if (toleranceSeconds === undefined) return undefined
  const madeAt = detachedAt ?? (isTime(iat) ? iat * 1000 : undefined)
  if (madeAt !== undefined) return checkAge(madeAt, toleranceSeconds, now)
  return isTime(exp) ? undefined : 'timestamp-missing'
}

const isTime = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0
