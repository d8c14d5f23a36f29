import { execFile, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { CALLS_FILE } from '../../iam/recording.ts'
import { eventually } from '../../support/local-rig.ts'
import { makeCertificate } from '../../support/make-certificate.ts'
import { FUNCTION_URL_NAMES } from '../resolve-function-urls.ts'
import type { Answering, MiniStack } from './find-ministack.ts'
import { noEmulator } from './no-emulator.ts'

export const MINISTACK_VERSION = '1.5.33'

/** Where it is, and where the operate function asks who calls: requests to AWS come here, under their own host name. */
export const MINISTACK_NAMES = ['127.0.0.1', 'sts.us-east-1.amazonaws.com']

type Ask = (endpoint: string) => Promise<Answering | undefined>

/** MiniStack from PyPI in a venv of its own, on a free port, with every call authorised. Its functions run on the Node of the tests. */
export const startMiniStack = async (env: NodeJS.ProcessEnv, ask: Ask): Promise<MiniStack> => {
  const program = await installed(env)
  const port = await freePort()
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-ministack-'))
  const tls = certified(directory)
  const child = spawn(program, {
    cwd: directory,
    // A process group, since each function is a process of its own.
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    // Nothing else of the shell: what it has, the functions have too, and an AWS_PROFILE would be a second identity.
    env: {
      PATH: `${dirname(process.execPath)}${delimiter}${env.PATH}`,
      HOME: directory,
      TMPDIR: directory,
      LOG_LEVEL: 'ERROR',
      AUTH: 'true',
      USE_SSL: '1',
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      PYTHONPATH: join(import.meta.dirname, 'ministack'),
      PYTHONDONTWRITEBYTECODE: '1',
      ...tls,
      ...(env.IT_CALLS && recording(env.IT_CALLS, env.IT_SENDER)),
    },
  })
  const kill = (): void => {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  process.once('exit', kill)
  const endpoint = `https://127.0.0.1:${port}`
  const ready = await eventually(
    'MiniStack',
    () => ask(endpoint),
    found => found !== undefined,
    60_000,
  ).catch(error => {
    kill()
    return cannot(error.message)
  })
  const stop = async (): Promise<void> => {
    process.off('exit', kill)
    kill()
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  return { ...(ready as Answering), isOurs: true, stop }
}

/** Every process of a function then writes down what it asks of AWS, and takes a server of the test for Stripe. */
const recording = (directory: string, sender: string | undefined) => ({
  NODE_OPTIONS: ['record-calls.ts', 'stand-in.ts']
    .map(file => `--import=${pathToFileURL(join(import.meta.dirname, '../../iam', file))}`)
    .join(' '),
  HOOKLATCH_CALLS: join(directory, CALLS_FILE),
  ...(sender && { HOOKLATCH_SENDER: sender }),
})

const certified = (directory: string) => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const MINISTACK_SSL_CERT = join(directory, 'certificate.pem')
  const MINISTACK_SSL_KEY = join(directory, 'key.pem')
  writeFileSync(
    MINISTACK_SSL_CERT,
    makeCertificate({ to: 'MiniStack', key: privateKey, alsoTo: [...MINISTACK_NAMES, FUNCTION_URL_NAMES] }),
  )
  writeFileSync(MINISTACK_SSL_KEY, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  return { MINISTACK_SSL_CERT, MINISTACK_SSL_KEY }
}

const cannot = (why: unknown): never => {
  throw noEmulator(
    `No MiniStack runs on port 4777, and none can be started (${String(why).trim().split('\n').at(-1)}). Starting one needs python3 (3.10 or newer) with venv, and PyPI once.`,
  )
}

/** Once for each version. Marked when it is whole, so one that was interrupted is begun again. */
const installed = async (env: NodeJS.ProcessEnv): Promise<string> => {
  const cache = join(env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'hooklatch')
  const venv = join(cache, `ministack-${MINISTACK_VERSION}`)
  const program = join(venv, 'bin/ministack')
  if (existsSync(join(venv, 'whole'))) return program
  process.stdout.write(`Installing MiniStack ${MINISTACK_VERSION} from PyPI, once.\n`)
  const run = (command: string, ...args: string[]) => promisify(execFile)(command, args, { env })
  try {
    mkdirSync(cache, { recursive: true })
    await run('python3', '-m', 'venv', '--clear', venv)
    await run(join(venv, 'bin/pip'), 'install', '--quiet', `ministack==${MINISTACK_VERSION}`)
    mkdirSync(join(venv, 'whole'))
  } catch (error) {
    cannot((error as { stderr?: string }).stderr || (error as Error).message)
  }
  return program
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
