import { createHash } from 'node:crypto'
import type { Millis } from '../../functions/domain/brands.ts'
import type { Secret } from '../../functions/domain/secret.ts'
import { awaitUntil, readSecretList } from '../../functions/domain/secret-list.ts'
import type { SecretsAdmin } from './secrets-admin.ts'

/** What a change makes of one source's list, or why it makes nothing. */
export type Change = (values: readonly string[]) => readonly string[] | Unchanged

export interface Unchanged {
  readonly unchanged: 'same' | 'no-secret' | 'rotating' | 'no-previous' | 'has-secret' | 'not-offered'
}

export type ChangeAnswer =
  | { readonly kind: 'changed'; readonly secrets: number; readonly replaced: number }
  | { readonly kind: 'unchanged'; readonly why: Unchanged['unchanged'] | 'somebody-else' }

const TRIES = 5

/**
 * Changes one source's list and no other. Whoever changed another source meanwhile is no obstacle: the change is made again
 * on what they left; but nobody's change of this very source is overwritten unseen.
 */
export const changeSecrets = async (admin: SecretsAdmin, source: string, change: Change): Promise<ChangeAnswer> => {
  let seen: string | undefined
  for (let tries = 0; tries < TRIES; tries++) {
    const snapshot = await admin.read()
    const values = valuesOf(snapshot.lists, source)
    seen ??= JSON.stringify(values)
    if (JSON.stringify(values) !== seen) break
    const changed = change(values)
    if ('unchanged' in changed) return { kind: 'unchanged', why: changed.unchanged }
    if ((await admin.write({ ...snapshot.lists, [source]: changed }, snapshot)) === 'written') {
      return { kind: 'changed', secrets: secretsIn(changed).length, replaced: secretsIn(values).length }
    }
  }
  return { kind: 'unchanged', why: 'somebody-else' }
}

/** The one secret, from now on. */
export const setTo =
  (value: string): Change =>
  values => {
    const [current, ...others] = secretsIn(values)
    if (current === value && others.length === 0) return { unchanged: 'same' }
    return [value, ...marksIn(values)]
  }

/** The new one is current, and the old one is still accepted. */
export const rotateTo =
  (value: string): Change =>
  values => {
    const [current, previous] = secretsIn(values)
    if (current === undefined) return { unchanged: 'no-secret' }
    if (current === value) return { unchanged: 'same' }
    return previous === undefined ? [value, current, ...marksIn(values)] : { unchanged: 'rotating' }
  }

/** Only the current one is accepted from now on. */
export const finishRotation: Change = values => {
  const [current, previous] = secretsIn(values)
  if (current === undefined) return { unchanged: 'no-secret' }
  return previous === undefined ? { unchanged: 'no-previous' } : [current, ...marksIn(values)]
}

export const valuesOf = (lists: Readonly<Record<string, readonly string[]>>, source: string): readonly string[] =>
  Object.hasOwn(lists, source) ? (lists[source] ?? []) : []

const secretsIn = (values: readonly string[]): readonly string[] =>
  readSecretList(values).secrets.map(secret => secret.reveal())

/** What stands in a list besides its secrets, save an open door, which a secret closes. */
export const marksIn = (values: readonly string[]): readonly string[] => {
  const secrets = secretsIn(values)
  return values.filter(
    value => value !== '' && !secrets.includes(value) && readSecretList([value]).awaitedUntil === null,
  )
}

/** Opens the door to a source that has no secret. What was handed over before is forgotten. */
export const awaitSecret =
  (until: Millis): Change =>
  values =>
    readSecretList(values).secrets.length > 0 ? { unchanged: 'has-secret' } : [awaitUntil(until), ...marksIn(values)]

/** What was handed over under this fingerprint is the secret from now on; the door is closed, and the rest forgotten. */
export const confirmSecret =
  (fingerprint: string): Change =>
  values => {
    const { secrets, offered } = readSecretList(values)
    if (secrets.length > 0) return { unchanged: 'has-secret' }
    const meant = offered.find(secret => secretFingerprint(secret) === fingerprint)
    return meant ? [meant.reveal(), ...marksIn(values)] : { unchanged: 'not-offered' }
  }

const CHARACTERS = 16

/** The beginning of its SHA-256: enough to tell secrets apart, and to compare with `printf %s "$SECRET" | sha256sum`. */
export const secretFingerprint = (secret: Secret): string =>
  `sha256:${createHash('sha256').update(secret.reveal()).digest('hex').slice(0, CHARACTERS)}`
