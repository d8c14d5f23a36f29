import type { Millis } from './brands.ts'
import { millis } from './brands.ts'
import { Secret } from './secret.ts'

/** In place of a secret: until then, a sender's handshake may bring it. An operator writes it, nobody else. */
const AWAITED = 'await:'

export interface SecretList {
  readonly secrets: readonly Secret[]
  /** Null when nobody opened the door. */
  readonly awaitedUntil: Millis | null
}

/** Empty values are as good as absent: no source is ever open. */
export const readSecretList = (values: readonly unknown[]): SecretList => {
  const texts = values.filter(value => typeof value === 'string' && value !== '') as string[]
  const awaited = texts.find(text => text.startsWith(AWAITED))
  return {
    secrets: texts.filter(text => !text.startsWith(AWAITED)).map(text => new Secret(text)),
    awaitedUntil: awaited === undefined ? null : millis(Date.parse(awaited.slice(AWAITED.length))),
  }
}

export const awaitUntil = (until: Millis): string => `${AWAITED}${new Date(until).toISOString()}`

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
  return open && OFFERED.test(offered) ? [offered] : 'closed'
}
