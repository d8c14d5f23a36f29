import { existsSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type { Handler } from '../../functions/consume/handle.ts'
import { type Refusal, refuse } from '../connect/refusal.ts'

/** The user's own code: what a TypeScript or JavaScript module exports as `work`, or by default. */
export const loadWorker = async (file: string): Promise<Handler | Refusal> => {
  if (!existsSync(file)) return refuse(`The worker ${file} does not exist.`)
  let module: { readonly work?: unknown; readonly default?: unknown }
  try {
    module = await import(pathToFileURL(file).href)
  } catch (error) {
    return refuse(`The worker ${file} cannot be used: ${error instanceof Error ? error.message : String(error)}`)
  }
  const worker = module.work ?? module.default
  if (typeof worker === 'function') return worker as Handler
  return refuse(`The worker ${file} has no function to call: export it by default, or as \`work\`.`)
}
