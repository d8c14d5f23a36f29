import { ServiceFault } from './service-fault.ts'

/** AWS takes a signature that is up to five minutes off. */
const NOTICEABLE_MS = 240_000

const ABOUT_TIME: ReadonlySet<string> = new Set([
  'AuthFailure',
  'InvalidSignatureException',
  'RequestExpired',
  'RequestInTheFuture',
  'RequestTimeTooSkewed',
  'SignatureDoesNotMatch',
])

/** By how many milliseconds our clock is behind, where a refusal and its date say that the clock was the reason. */
export const skewTold = (error: unknown, now: number, skew: number): number | undefined => {
  if (!(error instanceof ServiceFault) || !ABOUT_TIME.has(error.name)) return undefined
  const told = Date.parse(String(error.answer.headers.date)) - now
  return Math.abs(told - skew) > NOTICEABLE_MS ? told : undefined
}
