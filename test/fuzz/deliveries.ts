import type { Millis } from '../../functions/domain/brands.ts'
import { sample } from '../../lib/sender/sample.ts'
import { NOON } from '../support/events.ts'
import { type Attempt, signedAttempt } from './attempt.ts'
import { secretOf, sourceNamed, type TargetName } from './targets.ts'

export interface Honest {
  readonly id: string
  readonly at?: Millis
  /** Put into the body where no reader looks: a JSON value, or for Twilio the value of a form field. */
  readonly extra?: string
  readonly secret?: string
}

/** A delivery as the provider of a target sends it. */
export const honest = (name: TargetName, { id, at = NOON, extra, secret = secretOf(name) }: Honest): Attempt => {
  const source = sourceNamed(name)
  const { body, headers } = sample(source, { unique: 'fuzz', id, now: NOON })
  const withExtra = extra === undefined ? body : addExtra(Buffer.from(body).toString('utf8'), extra)
  return signedAttempt(source, { secret, body: withExtra, headers, at })
}

/** First, so that a field of the sample that has the same name wins, as the last one does in JSON. */
const addExtra = (body: string, extra: string): Uint8Array =>
  Buffer.from(
    body.startsWith('{')
      ? body.replace('{', () => `{"hostile":${extra},`)
      : `Hostile=${encodeURIComponent(extra.toWellFormed())}&${body}`,
  )
