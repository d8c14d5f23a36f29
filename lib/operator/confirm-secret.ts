import { createHash } from 'node:crypto'
import type { Secret } from '../../functions/domain/secret.ts'
import { readSecretList } from '../../functions/domain/secret-list.ts'
import { type Change, marksIn } from './change-secrets.ts'

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
