import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Deployment } from '../deployment.ts'
import type { Outputs } from './cdk.ts'
import { findMiniStack } from './find-ministack.ts'
import type { Change } from './fit-template.ts'
import { fromOutputs } from './from-outputs.ts'

const region = 'us-east-1'
/** Twelve digits are the root user of that account, and this is the account in which unsigned requests look for their API. Functions have no keys: each gets a session of its own role. */
const credentials = { accessKeyId: '000000000000', secretAccessKey: 'ministack' }

/** A MiniStack that is trusted by this process and by those that it starts, and what to call it with. */
export const openMiniStack = async (api: keyof typeof FRONTS = 'http') => {
  const { endpoint, version, certificate, isOurs, stop } = await findMiniStack(process.env, api === 'url')
  process.stdout.write(`MiniStack ${version} at ${endpoint}, authorisation on\n`)
  const trust = trusted(certificate)
  const env = environment(endpoint, trust.file)
  return {
    /** For the SDK, and for programs. */
    config: { endpoint, region, credentials },
    env,
    /** It was started for this run, and takes everything with it. */
    isOurs,
    deploymentOf: (stack: string, outputs: Outputs): Deployment => {
      const endpoints = { dynamodb: endpoint, sqs: endpoint, s3: endpoint, secrets: endpoint }
      const cli = { directory: process.cwd(), flags: ['--stack', stack], env }
      const known = { api, namesCallers: true, keepsBytes: false } as const
      return fromOutputs(outputs, { ...known, cli, region, credentials, endpoints }, url =>
        FRONTS[api](new URL(url), endpoint),
      )
    },
    close: async (): Promise<void> => {
      await stop()
      trust.end()
      process.stdout.write(`MiniStack ${version}: the stack of this run is gone.\n`)
    },
  }
}

export type OpenMiniStack = Awaited<ReturnType<typeof openMiniStack>>

export const printChanges = (changes: readonly Change[]): void => {
  const all = changes.reduce((sum, { resources }) => sum + resources.length, 0)
  process.stdout.write(`For MiniStack ${all} resources of the template are changed, and no role:\n`)
  for (const { what, why, resources } of changes) {
    process.stdout.write(`- ${resources.length}: ${what}, since ${why}: ${resources.join(', ')}\n`)
  }
}

/** By this process, and by those it starts from now on: the cases, cdk and the command line. */
const trusted = (certificate: string) => {
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
  AWS_ACCESS_KEY_ID: credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
  AWS_REGION: region,
  AWS_PROFILE: undefined,
  AWS_SESSION_TOKEN: undefined,
  AWS_CA_BUNDLE: certificate,
  NODE_EXTRA_CA_CERTS: certificate,
})

const FRONTS = {
  /** `https://<api>.execute-api.<host>` resolves only where the host's name does; the same by path always. */
  http: ({ hostname }: URL, endpoint: string): string =>
    `${endpoint}/_aws/execute-api/${hostname.split('.', 1)}/$default`,
  /** By its own name, which the process of the cases resolves, since callers sign it. */
  url: ({ hostname }: URL, endpoint: string): string => `https://${hostname}:${new URL(endpoint).port}`,
} as const
