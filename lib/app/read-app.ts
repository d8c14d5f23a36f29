import { existsSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stateDir } from '../connect/instance.ts'
import { makePrivate } from '../connect/private-directory.ts'
import { isRefusal, type Refusal, refuse } from '../connect/refusal.ts'
import { appSettings } from './app-settings.ts'
import { type FoundReceiver, findReceiver } from './find-receiver.ts'
import { openApp } from './open-app.ts'

export interface AppRequest {
  readonly directory: string
  /** The command that makes the template, instead of the one in cdk.json. */
  readonly app?: string | undefined
  /** The stack whose receiver is meant. @default the first that has one */
  readonly stack?: string | undefined
}

/** An app of a user's own, and the two files of it that a receiver needs. */
export interface App extends FoundReceiver {
  readonly sourceFile: string
  /** Absent: the sample. */
  readonly workerFile: string | undefined
}

/** The app of a directory; `undefined` if it has none, or one without a receiver. */
export const readApp = async (
  { directory, app, stack }: AppRequest,
  say: (line: string) => void,
): Promise<App | undefined | Refusal> => {
  const settings = appSettings(directory, app)
  if (settings === undefined || isRefusal(settings)) return settings
  const stacks = await openApp(settings, say)
  if (isRefusal(stacks)) return stacks
  const found = findReceiver(stacks, stack)
  if (found === undefined) {
    return app === undefined ? undefined : refuse(`--app ${app} makes no stack with a WebhookReceiver.`)
  }
  if (isRefusal(found)) return found
  const { worker } = found.receiver
  return {
    ...found,
    sourceFile: sourceFileOf(found, directory),
    workerFile: worker === undefined ? undefined : resolve(directory, worker),
  }
}

/** The module that exports the sources, which is read again by every command; without one, the app's data is written down. */
const sourceFileOf = ({ receiver }: FoundReceiver, directory: string): string => {
  const module = resolve(directory, receiver.sourcesModule ?? 'sources.ts')
  if (existsSync(module)) return module
  const file = join(stateDir(directory), 'sources.json')
  makePrivate(stateDir(directory))
  writeFileSync(file, `${JSON.stringify(receiver.sources, null, 2)}\n`)
  writeFileSync(join(stateDir(directory), 'destinations.json'), `${JSON.stringify(receiver.destinations ?? {})}\n`)
  return file
}
