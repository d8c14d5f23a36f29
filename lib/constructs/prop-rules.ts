import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Duration, Token } from 'aws-cdk-lib'

/** What a prop may be. It has as many rules as it needs: each is a mistake of its own. */
export interface PropRule {
  readonly expected: string | ((props: Props) => string)
  /** `props` are all of them, for a rule that depends on another prop. */
  holds(value: unknown, props: Props): boolean
  /** The rule is about a field of the prop, such as the `name` of `domain`. */
  readonly field?: string
  /** It is asked of a prop that was left out, too. @default false */
  readonly asksMissing?: boolean
  /** Something is computed from the value, so a token, which has no value until the deployment, is a mistake. @default false */
  readonly takesNoToken?: boolean
}

type Props = Readonly<Record<string, unknown>>

export type PropRules<Names extends string> = Readonly<Record<Names, readonly PropRule[]>>

/** Every mistake among the props, each with its name (after the prefix), what was found and what was expected. */
export const mistakesOf = (rules: PropRules<string>, props: object, prefix = ''): readonly string[] => {
  const given = props as Props
  return Object.entries(rules).flatMap(([name, all]) =>
    all
      .filter(({ asksMissing }) => asksMissing || given[name] !== undefined)
      .map(rule => ({ rule, ...placeOf(rule, name, given[name]) }))
      .filter(({ rule, value }) => !(mayWait(rule, value) || rule.holds(value, given)))
      .map(({ rule, at, value }) => `${prefix}${at}: found ${shown(value)}, expected ${sentence(rule, given)}`),
  )
}

const placeOf = ({ field }: PropRule, name: string, value: unknown) =>
  field === undefined ? { at: name, value } : { at: `${name}.${field}`, value: fieldOf(value, field) }

const sentence = ({ expected }: PropRule, props: Props): string =>
  typeof expected === 'string' ? expected : expected(props)

const mayWait = ({ takesNoToken }: PropRule, value: unknown): boolean => !takesNoToken && Token.isUnresolved(value)

/** One error for all of them. */
export const throwMistakes = (mistakes: readonly string[]): void => {
  if (mistakes.length === 0) return
  throw new TypeError(`The receiver cannot be built:\n${mistakes.map(line => `- ${line}`).join('\n')}`)
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Props)[field] : undefined

/** Constructs refer to each other in circles: only plain values are written out. */
const shown = (value: unknown): string => {
  if (value === undefined) return 'nothing'
  if (Token.isUnresolved(value)) return 'a token, which has no value before the deployment'
  if (isDuration(value)) return value.isUnresolved() ? 'a Duration made of a token' : value.toString()
  if (typeof value === 'function') return 'a function'
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? String(value)
  return Array.isArray(value) ? 'a list' : `an object (${value.constructor?.name ?? 'without a class'})`
}

/** Not `instanceof`: an app may have loaded CDK twice. */
export const isDuration = (value: unknown): value is Duration =>
  typeof value === 'object' && value !== null && 'toMilliseconds' in value

export const wholeNumber = (min: number, max = Number.MAX_SAFE_INTEGER): PropRule => ({
  expected:
    max === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${min}` : `a whole number from ${min} to ${max}`,
  holds: value => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
})

export const oneOf = (...values: readonly unknown[]): PropRule => ({
  expected: `one of ${values.map(value => JSON.stringify(value)).join(', ')}`,
  holds: value => values.includes(value),
  takesNoToken: true,
})

/** A switch decides which resources there are, and only the synth can decide that. */
export const yesOrNo: PropRule = { ...oneOf(true, false), expected: 'true or false' }

export const existingModule: PropRule = {
  expected: 'the path of a module that exists, absolute or from the directory of the synth',
  holds: value => typeof value === 'string' && value !== '' && existsSync(resolve(value)),
  takesNoToken: true,
}

export const has = (field: string, what: string): PropRule => ({
  expected: what,
  holds: value => typeof value === 'object' && value !== null && field in value,
  takesNoToken: true,
})

export const KEY_ARN: PropRule = {
  expected:
    'the ARN of a KMS key, such as arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
  holds: value => typeof value === 'string' && /^arn:[\w-]+:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/.test(value),
}

export const TOPIC_ARN: PropRule = {
  expected: 'the ARN of an SNS topic, such as arn:aws:sns:eu-central-1:123456789012:alarms',
  holds: value => typeof value === 'string' && /^arn:[\w-]+:sns:[a-z0-9-]+:\d{12}:[\w-]+(\.fifo)?$/.test(value),
}
