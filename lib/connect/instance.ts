import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makePrivate } from './private-directory.ts'
import { processRuns } from './process-runs.ts'

/** Where a running local instance can be found, for the CLI: `.hooklatch/local.json` in the directory it was started in. */
export interface Instance {
  readonly pid: number
  readonly url: string
  /** The whole URL, with the token of this run. */
  readonly console: string | null
  readonly environment: string
  /** Of each source that there was at the start. */
  readonly urls: Readonly<Record<string, string>>
  readonly endpoints: Endpoints
  /** With the endpoints, all that an AWS SDK or the AWS CLI needs. */
  readonly credentials: Credentials
  /** What was created for the user's own app: the local name of each table, by its logical id. */
  readonly app: { readonly tables: Readonly<Record<string, string>> }
  readonly engine: { readonly kind: DynamoKind; readonly pid: number }
  readonly resources: Resources
  readonly startedAt: string
  /** The frozen clock, if it is. */
  readonly now: string | null
  readonly data: string | null
  readonly deliveries: string
  readonly sourceFile: string
  readonly secretsFile: string
  readonly workerFile: string
}

/** An engine that is a program of its own. */
export type ProgramKind = 'dynoxide' | 'dynamodb-local'

/** `memory`: the one in our own process, if nothing is to be kept or no other can run. */
export type DynamoKind = ProgramKind | 'memory'

/** Where the engines are, and what they have to be shown. */
export interface Endpoints {
  readonly dynamodb: string
  readonly sqs: string
  readonly s3: string
  /** The secret of this run, as an access key id. @default 'local', which engines of tests take */
  readonly accessKey?: string
}

export interface Credentials {
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface Resources {
  readonly eventsTable: string
  readonly bodiesTable: string
  readonly bodiesBucket: string
  readonly queueUrl: string
  readonly orderedQueueUrl: string
  readonly deadLettersUrl: string
  readonly orderedDeadLettersUrl: string
  /** The queues of destinations, by name. */
  readonly destinations: Readonly<Record<string, string>>
  readonly destinationDeadLetters: Readonly<Record<string, string>>
}

export const stateDir = (directory: string): string => join(directory, '.hooklatch')

/** What an instance that was killed has left there is replaced. */
export const writeInstance = (directory: string, instance: Instance): void => {
  makePrivate(stateDir(directory))
  // Anew, since it holds the console's token and is for its owner alone.
  rmSync(fileOf(directory), { force: true })
  writeFileSync(fileOf(directory), `${JSON.stringify(instance, null, 2)}\n`, { mode: 0o600 })
}

/** `undefined` when there is none, or when the one that wrote it is no longer running. */
export const readInstance = (directory: string): Instance | undefined => {
  const instance = parse(fileOf(directory))
  return instance && processRuns(instance.pid) ? instance : undefined
}

export const removeInstance = (directory: string, pid: number): void => {
  if (parse(fileOf(directory))?.pid === pid) rmSync(fileOf(directory), { force: true })
}

const fileOf = (directory: string): string => join(stateDir(directory), 'local.json')

const parse = (file: string): Instance | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Instance
  } catch {
    return undefined
  }
}
