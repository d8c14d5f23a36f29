import fc from 'fast-check'
import { millis } from '../../functions/domain/brands.ts'
import { NOON } from '../support/events.ts'
import { type Attempt, signedAttempt } from './attempt.ts'
import { anyBody, anyName, validJson } from './bodies.ts'
import { honest } from './deliveries.ts'
import { anyForgery } from './forgery.ts'
import { anyFormat, anyHeaders, anyMethod, anyQuery, anySourceName, anyWrapping } from './headers.ts'
import { type Account, lawful } from './laws.ts'
import { parted, repeats } from './repeats.ts'
import type { FuzzRig } from './rig.ts'
import { noTime, STAMPED, stampedAttempt } from './stamps.ts'
import { secretOf, sourceNamed, TARGET_NAMES, target } from './targets.ts'

/** Inputs of one kind and what must come of them. */
export interface FuzzClass {
  /** Of all inputs. */
  readonly share: number
  /** Deliveries that one run makes. @default 1 */
  readonly deliveries?: number
  readonly property: (rig: FuzzRig) => fc.IAsyncProperty<unknown>
}

const anyTarget = fc.constantFrom(...TARGET_NAMES)

const expecting = (account: Account, statuses: readonly number[], what: string): void => {
  if (!statuses.includes(account.status)) {
    throw new Error(`${what} was answered with ${account.status} ${account.outcome} ${account.reason ?? ''}`)
  }
}

const noise: FuzzClass['property'] = rig =>
  fc.asyncProperty(
    fc.record<Attempt>({
      source: anySourceName,
      method: anyMethod,
      format: anyFormat,
      query: anyQuery,
      headers: anyHeaders,
      body: anyBody,
      wrapping: fc.constantFrom('gateway', 'base64', 'text', 'lying'),
    }),
    async attempt => {
      const account = await lawful(await rig.receiver().deliver(attempt))
      expecting(account, [401, 404, 405, 413, 415], 'a delivery without a signature')
    },
  )

/** Whatever was signed, by whoever holds the secret: stored with an identity, or refused for want of one. */
const hostileBody: FuzzClass['property'] = rig =>
  fc.asyncProperty(anyTarget, anyBody, anyName, anyFormat, anyWrapping, async (name, body, id, format, wrapping) => {
    const { headers } = honest(name, { id: headerText(id) })
    const unsigned = Object.fromEntries(headers.filter(([header]) => !target(name).proof.includes(header)))
    const attempt = signedAttempt(sourceNamed(name), { secret: secretOf(name), body, headers: unsigned })
    const account = await lawful(await rig.receiver().deliver({ ...attempt, format, wrapping }))
    const tooLarge = body.length > 4_194_304
    expecting(account, tooLarge ? [413] : [200, 202, 204, 400], 'a signed delivery')
  })

/** A header cannot be empty and keep its meaning, and a comma may be the seam of two. */
const headerText = (text: string): string => text.replaceAll(',', '.') || 'x'

const hostileExtra: FuzzClass['property'] = rig =>
  fc.asyncProperty(anyTarget, anyName, validJson, anyFormat, anyWrapping, async (name, id, extra, format, wrapping) => {
    const attempt = honest(name, { id: headerText(id), extra })
    const account = await lawful(await rig.receiver().deliver({ ...attempt, format, wrapping }))
    expecting(account, [202], `a genuine delivery to ${name}`)
  })

const forged: FuzzClass['property'] = rig =>
  fc.asyncProperty(anyForgery, anyFormat, async ({ name, how, attempt }, format) => {
    const account = await lawful(await rig.receiver().deliver({ ...attempt, format }))
    expecting(account, [401], `${how}, made of a delivery to ${name},`)
  })

const TEN_YEARS = 315_360_000
const anySkew = fc.oneof(fc.integer({ min: -400, max: 400 }), fc.integer({ min: -TEN_YEARS, max: TEN_YEARS }))

const skewed: FuzzClass['property'] = rig =>
  fc.asyncProperty(anyTarget, anySkew, anyFormat, async (name, skew, format) => {
    const attempt = honest(name, { id: 'skewed', at: millis(NOON + skew * 1000) })
    const account = await lawful(await rig.receiver().deliver({ ...attempt, format }))
    const { stamp = Number.POSITIVE_INFINITY } = target(name)
    expecting(account, Math.abs(skew) > stamp ? [401] : [202], `a signature of ${skew} s from now, to ${name},`)
  })

const mistimed: FuzzClass['property'] = rig =>
  fc.asyncProperty(fc.constantFrom(...STAMPED), noTime(NOON / 1000), anyFormat, async (name, ts, format) => {
    const account = await lawful(await rig.receiver().deliver({ ...stampedAttempt(name, ts), format }))
    expecting(account, [401], `a signed time that is none, to ${name},`)
  })

export const CLASSES: Readonly<Record<string, FuzzClass>> = {
  noise: { share: 0.3, property: noise },
  'hostile bodies, signed': { share: 0.2, property: hostileBody },
  'hostile extras in genuine deliveries': { share: 0.1, property: hostileExtra },
  forgeries: { share: 0.2, property: forged },
  'signatures from another time': { share: 0.05, property: skewed },
  'signed times that are none': { share: 0.05, property: mistimed },
  'the same event, and others': { share: 0.08, deliveries: 4, property: repeats },
  'one text as other parts': { share: 0.02, deliveries: 2, property: parted },
}
