import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Refusal, refuse } from '../connect/refusal.ts'

/** How an app is synthesised: what `cdk synth` reads from the command line and from cdk.json. */
export interface AppSettings {
  readonly directory: string
  /** The command that writes the assembly, or the directory of one that is written already. */
  readonly app: string
  readonly isAssembly: boolean
  /** Runs before the command. */
  readonly build?: string
  readonly context: Readonly<Record<string, unknown>>
}

/** `undefined` if there is no app: neither `--app` nor a cdk.json that names one. */
export const appSettings = (directory: string, flag: string | undefined): AppSettings | undefined | Refusal => {
  try {
    const { app, build, context } = readJson(join(directory, 'cdk.json'))
    const named = flag ?? app
    if (typeof named !== 'string') return undefined
    return {
      directory,
      app: named,
      isAssembly: isDirectory(resolve(directory, named)),
      ...(typeof build === 'string' && flag === undefined && { build }),
      context: { ...Object(context), ...readJson(join(directory, 'cdk.context.json')) },
    }
  } catch (error) {
    return refuse(`The app cannot be read: ${(error as Error).message}`)
  }
}

const isDirectory = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const readJson = (file: string): Readonly<Record<string, unknown>> => {
  if (!existsSync(file)) return {}
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Error(`${file}: ${(error as Error).message}`)
  }
}
