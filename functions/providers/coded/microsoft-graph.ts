import type { Verdict } from '../../domain/verdict.ts'
import type { CheckCode } from '../check-coded.ts'
import { isKey } from '../check-token.ts'
import { distrusted, type Inspection, matchedBy } from '../inspection.ts'
import { readBody } from '../read-body.ts'

const MOST_NOTIFICATIONS = 1_000

/** Each notification repeats the clientState of its subscription; one without it spoils the delivery. */
export const checkMicrosoftGraph: CheckCode = (_, { delivery, keys }: Inspection): Verdict => {
  const json = readBody(delivery.body).json()
  const value = json.kind === 'parsed' ? fieldOf(json.value, 'value') : undefined
  if (!Array.isArray(value) || value.length === 0) return distrusted('header-missing')
  if (value.length > MOST_NOTIFICATIONS) return distrusted('header-malformed')
  const states = value.map(notification => fieldOf(notification, 'clientState'))
  if (!states.every(isText)) return distrusted('header-missing')
  const distinct = [...new Set(states)].map(state => Buffer.from(state, 'utf8'))
  return matchedBy(keys, key => distinct.every(state => isKey(key, state)))
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined
