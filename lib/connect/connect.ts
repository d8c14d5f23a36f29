import { connectLocal } from './connect-local.ts'
import type { Connection, Target } from './connection.ts'
import { explainFault } from './explain-fault.ts'
import { isRefusal, type Refusal, refuse } from './refusal.ts'
import { runningInstance } from './running-instance.ts'

/** The stack that the flags or HOOKLATCH_STACK name; else the local instance that runs in this directory. */
export const connect = async (
  target: Target = {},
  env: NodeJS.ProcessEnv = process.env,
): Promise<Connection | Refusal> => {
  const stack = target.stack ?? (env.HOOKLATCH_STACK || undefined)
  if (stack !== undefined) return connectStack(stack, target)
  if (target.profile !== undefined || target.region !== undefined) {
    return refuse('--profile and --region say where a stack is, and --stack says which: add --stack NAME.', 2)
  }
  const instance = runningInstance()
  if (isRefusal(instance)) {
    return refuse(`${instance.refused} Or name a deployed stack: --stack NAME, or HOOKLATCH_STACK.`)
  }
  return connectLocal(instance)
}

/** Loaded only when asked for: five more SDK clients. */
const connectStack = async (stack: string, target: Target): Promise<Connection | Refusal> => {
  const { connectAws } = await import('./connect-aws.ts')
  try {
    return await connectAws(stack, target)
  } catch (error) {
    const sentence = explainFault(error)
    if (sentence === undefined) throw error
    return refuse(sentence)
  }
}
