import { existsSync } from 'node:fs'
import type { Handler } from '../../functions/consume/handle.ts'
import { isRefusal, type Refusal, refuse } from '../connect/refusal.ts'
import { whatAndWhere } from '../connect/what-and-where.ts'
import { type WorkerModules, workerModules } from './worker-modules.ts'

/**
 * The user's own code: what a TypeScript or JavaScript module exports as `work`, or by default. Each event gets the code as it is
 * on disk: it is loaded again once it has changed, and while it cannot be, an attempt fails with the reason.
 */
export const loadWorker = async (file: string, say: (line: string) => void = () => {}): Promise<Handler | Refusal> => {
  const modules = workerModules(file)
  let loading = load(file, modules)
  const first = await loading
  if (isRefusal(first)) return first
  return async (event, tools) => {
    if (modules.changed()) {
      say(`The worker has changed, and is loaded again: ${file}`)
      loading = load(file, modules)
    }
    const worker = await loading
    if (isRefusal(worker)) throw new Error(worker.refused)
    return worker(event, tools)
  }
}

const load = async (file: string, modules: WorkerModules): Promise<Handler | Refusal> => {
  if (!existsSync(file)) return refuse(`The worker ${file} does not exist.`)
  let module: { readonly work?: unknown; readonly default?: unknown }
  try {
    module = (await modules.load()) as typeof module
  } catch (error) {
    return refuse(`The worker ${file} cannot be used: ${whatAndWhere(error, file)}`)
  }
  const worker = module.work ?? module.default
  if (typeof worker === 'function') return worker as Handler
  return refuse(`The worker ${file} has no function to call: export it by default, or as \`work\`.`)
}
