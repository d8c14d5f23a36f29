import type { Millis } from './brands.ts'
import { millis } from './brands.ts'
import { Secret } from './secret.ts'

/** In place of a secret: until then, a sender's handshake may bring it. An operator writes it, nobody else. */
const AWAITED = 'await:'

/** Besides the secrets: until then, deliveries are captured. It lies here since every delivery looks here anyway. */
const CAPTURED = 'hooklatch-capture:'

export interface Capture {
  readonly until: Millis
  /** What genuine deliveries are answered with, instead of being taken; null: they are taken as ever. */
  readonly answer: number | null
}

export interface SecretList {
  readonly secrets: readonly Secret[]
  /** Null when nobody opened the door. */
  readonly awaitedUntil: Millis | null
  readonly capture: Capture | null
}

/** Empty values are as good as absent: no source is ever open. */
export const readSecretList = (values: readonly unknown[]): SecretList => {
  const texts = values.filter(value => typeof value === 'string' && value !== '') as string[]
  const awaited = texts.find(text => text.startsWith(AWAITED))
  const captured = texts.find(text => text.startsWith(CAPTURED))
  return {
    secrets: texts.filter(text => !isMark(text)).map(text => new Secret(text)),
    awaitedUntil: awaited === undefined ? null : millis(Date.parse(awaited.slice(AWAITED.length))),
    capture: captured === undefined ? null : readCapture(captured),
  }
}

/** Something an operator wrote among the secrets that is none. */
export const isMark = (text: string): boolean => text.startsWith(AWAITED) || text.startsWith(CAPTURED)

export const awaitUntil = (until: Millis): string => `${AWAITED}${new Date(until).toISOString()}`

/** The list with the switch set as said, or without one. Last: the first is what a sender signs with. */
export const withCapture = (values: readonly string[], capture: Capture | null): readonly string[] => [
  ...values.filter(value => !value.startsWith(CAPTURED)),
  ...(capture ? [`${CAPTURED}${new Date(capture.until).toISOString()} ${capture.answer ?? ''}`.trim()] : []),
]

const readCapture = (text: string): Capture | null => {
  const [until = '', answer] = text.slice(CAPTURED.length).split(' ')
  const instant = Date.parse(until)
  if (Number.isNaN(instant)) return null
  return { until: millis(instant), answer: answer !== undefined && REFUSING.test(answer) ? Number(answer) : null }
}

/** What is turned away must never be told that it was taken: anything else is no drill. */
const REFUSING = /^[45]\d\d$/

/** What a handshake may bring: printable, and long enough to be one. */
const OFFERED = /^[\x21-\x7e]{8,512}$/

/** The list with the offered secret in it, or why it stays as it is: a secret that is there is never replaced. */
export const withOffered = (
  values: readonly unknown[],
  offered: string,
  now: Millis,
): readonly string[] | 'known' | 'closed' => {
  const { secrets, awaitedUntil } = readSecretList(values)
  if (secrets.some(secret => secret.equals(offered))) return 'known'
  const open = secrets.length === 0 && awaitedUntil !== null && awaitedUntil > now
  return open && OFFERED.test(offered) && !isMark(offered) ? [offered] : 'closed'
}
