import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { writeDeployed } from '../../iam/recording.ts'
import type { Deployment, Target } from '../deployment.ts'
import { cdkOf, type Outputs } from './cdk.ts'
import { findMiniStack, type MiniStack } from './find-ministack.ts'
import { fitAssembly } from './fit-assembly.ts'
import type { Change } from './fit-template.ts'
import { fromOutputs } from './from-outputs.ts'

const REGION = 'us-east-1'
/** Twelve digits are the root user of that account, and this is the account in which unsigned requests look for their API. Functions have no keys: each gets a session of its own role. */
const CREDENTIALS = { accessKeyId: '000000000000', secretAccessKey: 'ministack' }

/** The stack with its HTTP API, deployed by plain cdk, with every call of every function authorised by the roles of the template. */
export const ministack = async (): Promise<Target> => {
  const emulator = await findMiniStack(process.env)
  const { endpoint, version } = emulator
  process.stdout.write(`MiniStack ${version} at ${endpoint}, authorisation on\n`)
  const trust = trusted(emulator)
  const env = environment(endpoint, trust.file)
  const prefix = `hooklatch-it-${randomBytes(4).toString('hex')}`
  const adapt = (assembly: string) => print(fitAssembly(assembly, `${prefix}-http`))
  const cdk = cdkOf({ prefix, apis: ['http'], env, adapt })
  const takeDown = async (): Promise<void> => {
    // One that was started for this run takes everything with it.
    await (emulator.isOurs ? cdk.forget() : cdk.destroy())
    await emulator.stop()
    trust.end()
    process.stdout.write(`MiniStack ${version}: the stack of this run is gone.\n`)
  }
  try {
    await cdk.bootstrap()
    const stacks = await cdk.deploy()
    const { IT_CALLS } = process.env
    if (IT_CALLS)
      await writeDeployed(IT_CALLS, `${prefix}-http`, { endpoint, region: REGION, credentials: CREDENTIALS })
    const deployments = Object.entries(stacks).map(([stack, outputs]) => deploymentOf(stack, outputs, endpoint, env))
    return { deployments, comesBackAfterSeconds: 20, takeDown }
  } catch (error) {
    await takeDown()
    throw error
  }
}

const print = (changes: readonly Change[]): void => {
  const all = changes.reduce((sum, { resources }) => sum + resources.length, 0)
  process.stdout.write(`For MiniStack ${all} resources of the template are changed, and no role:\n`)
  for (const { what, why, resources } of changes) {
    process.stdout.write(`- ${resources.length}: ${what}, since ${why}: ${resources.join(', ')}\n`)
  }
}

/** By this process, and by those it starts from now on: the cases, cdk and the command line. */
const trusted = ({ certificate }: MiniStack) => {
  const directory = mkdtempSync(join(tmpdir(), 'hooklatch-trust-'))
  const file = join(directory, 'ministack.pem')
  writeFileSync(file, certificate)
  const before = process.env.NODE_EXTRA_CA_CERTS
  const authorities = getCACertificates('default')
  process.env.NODE_EXTRA_CA_CERTS = file
  setDefaultCACertificates([...authorities, certificate])
  const end = (): void => {
    setDefaultCACertificates(authorities)
    if (before === undefined) delete process.env.NODE_EXTRA_CA_CERTS
    else process.env.NODE_EXTRA_CA_CERTS = before
    rmSync(directory, { recursive: true, force: true })
  }
  return { file, end }
}

const environment = (endpoint: string, certificate: string): NodeJS.ProcessEnv => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  AWS_REGION: REGION,
  AWS_PROFILE: undefined,
  AWS_SESSION_TOKEN: undefined,
  AWS_CA_BUNDLE: certificate,
  NODE_EXTRA_CA_CERTS: certificate,
})

const deploymentOf = (stack: string, outputs: Outputs, endpoint: string, env: NodeJS.ProcessEnv): Deployment => {
  const endpoints = { dynamodb: endpoint, sqs: endpoint, s3: endpoint, secrets: endpoint }
  const cli = { directory: process.cwd(), flags: ['--stack', stack], env }
  const known = { api: 'http', namesCallers: true, keepsBytes: false } as const
  const rest = { ...known, cli, region: REGION, credentials: CREDENTIALS, endpoints }
  return fromOutputs(outputs, rest, url => executeApi(url, endpoint))
}

/** `https://<api>.execute-api.<host>` resolves only where the host's name does; the same by path always. */
const executeApi = (url: string, endpoint: string): string =>
  `${endpoint}/_aws/execute-api/${new URL(url).hostname.split('.', 1)}/$default`
