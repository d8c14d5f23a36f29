import { ENVIRONMENT, type EnvironmentName } from '../contract/environment.ts'

/** What the stack told its function. */
export const variable = (name: EnvironmentName): string => {
  const value = process.env[ENVIRONMENT[name]]
  if (!value) throw new Error(`the environment variable ${ENVIRONMENT[name]} is not set: the stack sets it`)
  return value
}

export const optionalVariable = (name: EnvironmentName): string | undefined =>
  process.env[ENVIRONMENT[name]] || undefined
