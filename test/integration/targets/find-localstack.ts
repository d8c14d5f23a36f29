import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { requireLoopback } from './loopback.ts'
import { noEmulator } from './no-emulator.ts'

const IMAGE = 'localstack/localstack:4.14.0'
const COMPOSE = ['compose', '-f', join(import.meta.dirname, '../localstack.compose.yml')]
const DEFAULT_ENDPOINT = 'http://localhost:4566'

export interface LocalStack {
  readonly endpoint: string
  readonly version: string
  /** Ends it, if it was started here. */
  stop(): Promise<void>
}

/** The one that runs at AWS_ENDPOINT_URL or on port 4566, else one in Docker, else a sentence: never a silent skip. */
export const findLocalStack = async (env: NodeJS.ProcessEnv): Promise<LocalStack> => {
  const endpoint = requireLoopback(env.AWS_ENDPOINT_URL || DEFAULT_ENDPOINT).origin
  const version = await versionAt(endpoint)
  if (version !== undefined) return { endpoint, version, stop: async () => {} }

  const docker = (...args: string[]) => promisify(execFile)('docker', args, { env })
  const cannot = (why: unknown): never => {
    throw noEmulator(
      `There is no LocalStack at ${endpoint}, and Docker cannot start one (${String(why).split('\n', 1)}). Start one with \`docker run --rm -p 127.0.0.1:4566:4566 -e LAMBDA_IGNORE_ARCHITECTURE=1 -v /var/run/docker.sock:/var/run/docker.sock ${IMAGE}\`, or name a running one: AWS_ENDPOINT_URL=http://localhost:4566 npm run test:localstack. Versions from 2026.3.0 on need an account; ${IMAGE} does not.`,
    )
  }
  if (endpoint !== DEFAULT_ENDPOINT) return cannot('AWS_ENDPOINT_URL names another place')
  await docker(...COMPOSE, 'up', '--detach', '--wait').catch(error => cannot(error.stderr || error.message))
  const stop = async (): Promise<void> => {
    await docker(...COMPOSE, 'down', '--volumes')
  }
  return { endpoint, version: (await versionAt(endpoint)) ?? cannot('it started, and does not answer'), stop }
}

const versionAt = async (endpoint: string): Promise<string | undefined> => {
  try {
    const answer = await fetch(`${endpoint}/_localstack/health`, { signal: AbortSignal.timeout(5_000) })
    const { version } = (await answer.json()) as { version?: string }
    return version
  } catch {
    return undefined
  }
}
