import { ENVIRONMENT, type EnvironmentName } from '../contract/environment.ts'
import type { Names } from './stores.ts'

/** What the stack told its function. */
export const variable = (name: EnvironmentName): string => {
  const value = process.env[ENVIRONMENT[name]]
  if (!value) throw new Error(`the environment variable ${ENVIRONMENT[name]} is not set: the stack sets it`)
  return value
}

export const optionalVariable = (name: EnvironmentName): string | undefined =>
  process.env[ENVIRONMENT[name]] || undefined

export const optionalNumber = (name: EnvironmentName): number | undefined => {
  const value = optionalVariable(name)
  return value === undefined ? undefined : Number(value)
}

/** Read when a store first asks for one: each function is told the names of what it may reach, and no others. */
export const stackNames = new Proxy({} as Record<keyof Names, unknown>, {
  get: (known, name: keyof Names) => {
    known[name] ??= nameOf(name)
    return known[name]
  },
}) as Names

const nameOf = (name: keyof Names): unknown => {
  if (name === 'destinations') return JSON.parse(optionalVariable(name) ?? '{}')
  return OPTIONAL.has(name) ? optionalVariable(name) : variable(name)
}

const OPTIONAL: ReadonlySet<string> = new Set<keyof Names>(['orderedQueueUrl', 'signingSecrets'])

/** The ids of event source mappings by destination. */
export const mappingIds = (): Readonly<Record<string, readonly string[]>> =>
  JSON.parse(optionalVariable('mappings') ?? '{}')

/** Where a function of ours hands events over to. */
export const targetOf = <Target>(): Target => JSON.parse(variable('target'))
