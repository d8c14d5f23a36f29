import type { Millis } from './brands.ts'
import { millis } from './brands.ts'
import { Secret } from './secret.ts'

/**
 * In place of a secret: until then, a sender's handshake may bring it, and what was brought stands behind it. An operator opens
 * this door, and an operator's confirmation makes one of them the secret: until then they are part of a mark, and verify nothing.
 */
const AWAITED = 'await:'

/** Anybody can knock at an open door: what is brought stays within this, and so do the calls that store it. */
const MOST_OFFERED = 4

/** Besides the secrets: until then, deliveries are captured. It lies here since every delivery looks here anyway. */
const CAPTURED = 'hooklatch-capture:'

export interface Capture {
  readonly until: Millis
  /** What genuine deliveries are answered with, instead of being taken; null: they are taken as ever. */
  readonly answer: number | null
  /** Of a drill: when it began, or the one that it goes on with. Receivers do not look at it. */
  readonly since?: Millis
}

export interface SecretList {
  readonly secrets: readonly Secret[]
  /** Null when nobody opened the door. */
  readonly awaitedUntil: Millis | null
  /** What handshakes brought since then, oldest first. */
  readonly offered: readonly Secret[]
  readonly capture: Capture | null
}

/** Empty values are as good as absent: no source is ever open. */
export const readSecretList = (values: readonly unknown[]): SecretList => {
  const texts = values.filter(value => typeof value === 'string' && value !== '') as string[]
  const awaited = texts.find(text => text.startsWith(AWAITED))
  const captured = texts.find(text => text.startsWith(CAPTURED))
  const [until = '', ...offered] = awaited?.slice(AWAITED.length).split(' ') ?? []
  return {
    secrets: texts.filter(text => !isMark(text)).map(text => new Secret(text)),
    awaitedUntil: awaited === undefined ? null : millis(Date.parse(until)),
    offered: offered.map(text => new Secret(text)),
    capture: captured === undefined ? null : readCapture(captured),
  }
}

/** Something an operator wrote among the secrets that is none. */
export const isMark = (text: string): boolean => text.startsWith(AWAITED) || text.startsWith(CAPTURED)

export const awaitUntil = (until: Millis): string => `${AWAITED}${new Date(until).toISOString()}`

/** The list with the switch set as said, or without one. Last: the first is what a sender signs with. */
export const withCapture = (values: readonly string[], capture: Capture | null): readonly string[] => [
  ...values.filter(value => !value.startsWith(CAPTURED)),
  ...(capture ? [`${CAPTURED}${wordsOf(capture).join(' ')}`] : []),
]

const wordsOf = ({ until, answer, since }: Capture): readonly string[] => [
  new Date(until).toISOString(),
  ...(answer === null ? [] : [String(answer), ...(since === undefined ? [] : [new Date(since).toISOString()])]),
]

/** The last drill that was switched on, and from when to when it goes; one of an older version does not say since when. */
export const lastDrill = (
  values: readonly string[],
): { readonly since: Millis; readonly until: Millis } | undefined => {
  const captured = values.find(value => value.startsWith(CAPTURED))
  const [until = '', answer, since = until] = captured?.slice(CAPTURED.length).split(' ') ?? []
  return answer === undefined ? undefined : { since: millis(Date.parse(since)), until: millis(Date.parse(until)) }
}

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

/** What becomes of an offer without a change of the list; `undefined`: it is to be added. A secret that is there is never replaced. */
export const answerTo = (
  { secrets, awaitedUntil, offered: before }: Pick<SecretList, 'secrets' | 'awaitedUntil' | 'offered'>,
  offered: string,
  now: Millis,
): 'known' | 'closed' | undefined => {
  if ([...secrets, ...before].some(secret => secret.equals(offered))) return 'known'
  const open = secrets.length === 0 && awaitedUntil !== null && awaitedUntil > now && before.length < MOST_OFFERED
  return open && OFFERED.test(offered) && !isMark(offered) ? undefined : 'closed'
}

/** The list with the offered secret in its mark, or why it stays as it is. */
export const withOffered = <Value>(
  values: readonly Value[],
  offered: string,
  now: Millis,
): readonly (Value | string)[] | 'known' | 'closed' =>
  answerTo(readSecretList(values), offered, now) ??
  values.map(value => (typeof value === 'string' && value.startsWith(AWAITED) ? `${value} ${offered}` : value))
