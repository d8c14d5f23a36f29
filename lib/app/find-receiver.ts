import { WORKER_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { destinationPath, WORKER_PATH } from '../../functions/contract/receiver-metadata.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'
import type { AppReceiver, AppResource, AppStack } from './read-assembly.ts'

/** The receiver of an app that runs on this machine. */
export interface FoundReceiver {
  readonly stack: AppStack
  readonly receiver: AppReceiver
  /** The function that the worker is in AWS. */
  readonly worker: AppResource | undefined
  readonly workerTimeoutSeconds: number
  /** The functions of its destinations, by name. */
  readonly destinations: Readonly<Record<string, AppResource>>
  /** Of the same stage: what can be referred to. */
  readonly stacks: readonly AppStack[]
  readonly notes: readonly string[]
}

/** The first, or the one of the stack that is asked for; `undefined` if the app has none. */
export const findReceiver = (
  stacks: readonly AppStack[],
  wanted: string | undefined,
): FoundReceiver | undefined | Refusal => {
  const all = stacks.flatMap(stack => stack.receivers.map(receiver => ({ stack, receiver })))
  const names = all.map(({ stack }) => stack.name)
  const found = wanted === undefined ? all[0] : all.find(({ stack }) => stack.name === wanted)
  if (!found) {
    if (wanted === undefined) return undefined
    return refuse(`The app has no stack ${wanted} with a receiver: it has ${names.join(', ') || 'none'}.`, 2)
  }
  const { stack, receiver } = found
  const worker = resourceAt(stack, `${receiver.path}/${WORKER_PATH}`)
  const destinations = Object.keys(Object(receiver.destinations)).flatMap(name => {
    const made = resourceAt(stack, `${receiver.path}/${destinationPath(name)}`)
    return made ? [[name, made] as const] : []
  })
  return {
    ...found,
    worker,
    destinations: Object.fromEntries(destinations),
    workerTimeoutSeconds: Number(worker?.Properties?.Timeout ?? WORKER_TIMEOUT_SECONDS),
    stacks: stacks.filter(({ stage }) => stage === stack.stage),
    notes:
      wanted === undefined && all.length > 1
        ? [
            `the app has ${all.length} receivers, and this is the one of ${stack.name}: --stack NAME chooses (${names.join(', ')})`,
          ]
        : [],
  }
}

const resourceAt = ({ paths, template }: AppStack, path: string): AppResource | undefined => {
  const logicalId = Object.keys(paths).find(id => paths[id] === path)
  return logicalId === undefined ? undefined : template.Resources?.[logicalId]
}
