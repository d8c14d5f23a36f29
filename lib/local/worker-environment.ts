import type { Endpoints } from '../connect/instance.ts'
import { credentialsOf, environmentOf } from '../connect/local-clients.ts'

/**
 * What the worker's function has in AWS, in the environment of this process, where the worker runs: its variables, and a region,
 * credentials and endpoints with which its own SDK clients reach the engines. Answers how to undo it.
 */
export const giveEnvironment = (variables: Readonly<Record<string, string>>, endpoints: Endpoints): (() => void) => {
  const { env } = process
  const before = { ...env }
  // A profile or a session token would win over the keys, and lead to a real account.
  for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN']) delete env[name]
  Object.assign(env, environmentOf(endpoints), { AWS_DEFAULT_REGION: credentialsOf(endpoints).region }, variables)
  return () => {
    for (const name of Object.keys(env)) if (!Object.hasOwn(before, name)) delete env[name]
    Object.assign(env, before)
  }
}
