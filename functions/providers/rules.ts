import { durationSeconds, isDuration } from '../domain/duration.ts'
import { suggest } from './suggest.ts'

/** Every mistake of a value, each a sentence with the place, what was found and what was expected. */
export type Rule = (value: unknown, at: string) => readonly string[]

export const mistake = (at: string, value: unknown, expected: string): string =>
  `${at}: found ${show(value)}, expected ${expected}`

export const expecting =
  (expected: string, holds: (value: unknown) => boolean): Rule =>
  (value, at) =>
    holds(value) ? [] : [mistake(at, value, expected)]

export const text = expecting('a non-empty text', value => typeof value === 'string' && value !== '')
export const yes = expecting('true, or nothing at all', value => value === true)
export const yesOrNo = expecting('true or false', value => typeof value === 'boolean')

export const oneOf = (...values: readonly unknown[]): Rule =>
  expecting(`${values.length === 1 ? '' : 'one of '}${values.map(show).join(', ')}`, value => values.includes(value))

export const duration = (atMost: `${number}d`, ...words: readonly string[]): Rule => {
  const also = words.map(word => `${show(word)} or `).join('')
  return expecting(
    `${also}a whole number and a unit, such as 90s, 15m, 36h or 30d, of at most ${atMost}`,
    value =>
      words.includes(value as string) || (isDuration(value) && durationSeconds(value) <= durationSeconds(atMost)),
  )
}

export const listOf =
  (rule: Rule, what: string): Rule =>
  (value, at) =>
    Array.isArray(value) && value.length > 0
      ? value.flatMap((item, index) => rule(item, `${at}[${index}]`))
      : [mistake(at, value, `a list of at least one ${what}`)]

/** An object of exactly these fields. Values of unknown fields are not shown: one may be a secret in the wrong place. */
export const fields =
  (rules: Readonly<Record<string, Rule>>, required: readonly string[] = []): Rule =>
  (value, at) => {
    if (!isPlainObject(value)) return [mistake(at, value, `an object with ${Object.keys(rules).join(', ')}`)]
    const missing = required.filter(name => value[name] === undefined)
    return [
      ...missing.map(name => mistake(`${at}.${name}`, undefined, 'a value: it is required')),
      ...Object.keys(value).flatMap(name => checkField(rules, name, value[name], at)),
    ]
  }

const checkField = (rules: Readonly<Record<string, Rule>>, name: string, value: unknown, at: string) => {
  const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
  if (rule) return value === undefined ? [] : rule(value, `${at}.${name}`)
  return [
    `${at}.${name}: found an unknown field, expected one of ${Object.keys(rules).join(', ')}${suggest(name, Object.keys(rules))}`,
  ]
}

export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const MOST_SHOWN = 60
const SHOWN: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'object'])

const show = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  const shown = SHOWN.has(typeof value) ? JSON.stringify(value) : `a ${typeof value}`
  return shown.length > MOST_SHOWN ? `${shown.slice(0, MOST_SHOWN)}...` : shown
}
