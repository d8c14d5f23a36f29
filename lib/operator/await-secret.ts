import type { Millis } from '../../functions/domain/brands.ts'
import { awaitUntil, readSecretList } from '../../functions/domain/secret-list.ts'
import { type Change, marksIn } from './change-secrets.ts'

/** Opens the door to a source that has no secret. What was handed over before is forgotten. */
export const awaitSecret =
  (until: Millis): Change =>
  values =>
    readSecretList(values).secrets.length > 0 ? { unchanged: 'has-secret' } : [awaitUntil(until), ...marksIn(values)]
