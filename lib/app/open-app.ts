import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stateDir } from '../connect/instance.ts'
import { makePrivate } from '../connect/private-directory.ts'
import { isRefusal, type Refusal, refuse } from '../connect/refusal.ts'
import type { AppSettings } from './app-settings.ts'
import { hashInputs } from './hash-inputs.ts'
import { type AppStack, readAssembly } from './read-assembly.ts'
import { runApp } from './run-app.ts'

/** The stacks of an app. It is run only if one of its inputs has changed since it was run last. */
export const openApp = async (
  settings: AppSettings,
  say: (line: string) => void,
): Promise<readonly AppStack[] | Refusal> => {
  const { directory, app, isAssembly } = settings
  try {
    if (isAssembly) return readAssembly(resolve(directory, app))
    const kept = readKept(directory)
    if (kept && kept.hash === hashInputs(settings, workersOf(kept.stacks))) return kept.stacks
    say(`Reading what the app creates: ${app} (again only when the app changes)`)
    const stacks = await synthesise(settings)
    if (isRefusal(stacks)) return stacks
    const made: Kept = { hash: hashInputs(settings, workersOf(stacks)), stacks }
    writeFileSync(fileOf(directory), JSON.stringify(made), { mode: 0o600 })
    return stacks
  } catch (error) {
    return refuse(`The app cannot be read: ${(error as Error).message}`)
  }
}

const synthesise = async (settings: AppSettings): Promise<readonly AppStack[] | Refusal> => {
  makePrivate(stateDir(settings.directory))
  const outdir = mkdtempSync(join(stateDir(settings.directory), 'synth-'))
  try {
    return (await runApp(settings, outdir)) ?? readAssembly(outdir)
  } finally {
    rmSync(outdir, { recursive: true, force: true })
  }
}

interface Kept {
  readonly hash: string
  readonly stacks: readonly AppStack[]
}

const workersOf = (stacks: readonly AppStack[]): readonly string[] =>
  stacks.flatMap(({ receivers }) => receivers.flatMap(({ worker }) => worker ?? []))

const fileOf = (directory: string): string => join(stateDir(directory), 'app.json')

const readKept = (directory: string): Kept | undefined => {
  try {
    return JSON.parse(readFileSync(fileOf(directory), 'utf8'))
  } catch {
    return undefined
  }
}
