import type { Source } from '../../functions/domain/source.ts'
import { explainFault } from '../operator/explain-fault.ts'
import { connectLocal } from './connect-local.ts'
import type { Connection, Target } from './connection.ts'
import { loadSources } from './load-sources.ts'
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

/** And its sources, from the file that is given or else the connection's own. */
export const connectWithSources = async (
  target: Target & { readonly 'source-file'?: string },
): Promise<{ readonly connection: Connection; readonly sources: ReadonlyMap<string, Source> } | Refusal> => {
  const connection = await connect(target)
  if (isRefusal(connection)) return connection
  const sources = await loadSources(target['source-file'] ?? connection.sourceFile)
  return isRefusal(sources) ? sources : { connection, sources }
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
