import { ownProperty } from '../../domain/parse-json.ts'
import type { CodeModule } from '../../domain/scheme.ts'
import { isKey } from '../check-token.ts'
import { readJson } from '../read-body.ts'
import { distrusted, matchedBy } from '../verdict.ts'

export const file = 'microsoft-graph'

export const reads: CodeModule['reads'] = { headers: [] }

/** Each notification repeats the clientState of its subscription; one without it spoils the delivery. */
export const check: CodeModule['check'] = (_, { delivery, keys }) => {
  const json = readJson(delivery.body)
  const value = json.kind === 'parsed' ? ownProperty(json.value, 'value') : undefined
  if (!Array.isArray(value) || value.length === 0) return distrusted('header-missing')
  if (value.length > MOST_NOTIFICATIONS) return distrusted('header-malformed')
  const states = value.map(notification => ownProperty(notification, 'clientState'))
  if (!states.every(isText)) return distrusted('header-missing')
  const distinct = [...new Set(states)].map(state => Buffer.from(state, 'utf8'))
  return matchedBy(keys, key => distinct.every(state => isKey(key, state)))
}

export const sign: CodeModule['sign'] = ({ secret, delivery }) => {
  const json = JSON.parse(Buffer.from(delivery.body).toString('utf8'))
  const value = json.value.map((notification: object) => ({ ...notification, clientState: secret }))
  return { body: Buffer.from(JSON.stringify({ ...json, value })) }
}

export const words = (): string => 'the clientState of the subscription, in each notification'

export const covers: CodeModule['covers'] = () => ({ proof: ['json:value.*.clientState'] })

const MOST_NOTIFICATIONS = 1_000

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
