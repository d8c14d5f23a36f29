import { randomBytes } from 'node:crypto'
import type { Deployment, Target } from '../deployment.ts'
import { openService } from '../service.ts'
import { cdkOf, type Outputs } from './cdk.ts'
import { findLocalStack } from './find-localstack.ts'
import { fromOutputs } from './from-outputs.ts'

const REGION = 'us-east-1'
/** A key of its own: the CDK CLI remembers which account a key belongs to. */
const CREDENTIALS = { accessKeyId: 'localstack', secretAccessKey: 'localstack' }

/** The newest that LocalStack 4.9 knows. */
const RUNTIME = 'nodejs22.x'

/** The stack with its REST front, as the free LocalStack has no HTTP API, deployed by plain cdk. */
export const localstack = async (): Promise<Target> => {
  const { endpoint, version, stop } = await findLocalStack(process.env)
  process.stdout.write(`LocalStack ${version} at ${endpoint}\n`)
  const prefix = `hooklatch-it-${randomBytes(4).toString('hex')}`
  const service = await openService()
  const cdk = cdkOf({ prefix, apis: ['rest'], runtime: RUNTIME, env: { ...environment(endpoint), ...service.env } })
  const takeDown = async (): Promise<void> => {
    service.close()
    await cdk.destroy()
    await stop()
    process.stdout.write(`LocalStack ${version}: the stack of this run is destroyed.\n`)
  }
  try {
    await cdk.bootstrap()
    const stacks = await cdk.deploy()
    const deployments = Object.entries(stacks).map(([stack, outputs]) =>
      deploymentOf(stack, outputs, endpoint, service),
    )
    return { deployments, comesBackAfterSeconds: 20, takeDown }
  } catch (error) {
    await takeDown()
    throw error
  }
}

/** Buckets are paths of an address, and names before a host name. */
const addressOf = (endpoint: string): string => endpoint.replace('localhost', '127.0.0.1')

const environment = (endpoint: string): NodeJS.ProcessEnv => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_ENDPOINT_URL_S3: addressOf(endpoint),
  AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
  AWS_REGION: REGION,
  AWS_PROFILE: undefined,
  AWS_SESSION_TOKEN: undefined,
})

const deploymentOf = (
  stack: string,
  outputs: Outputs,
  endpoint: string,
  service: { readonly file: string },
): Deployment => {
  const endpoints = { dynamodb: endpoint, sqs: endpoint, s3: addressOf(endpoint), secrets: endpoint }
  const cli = { directory: process.cwd(), flags: ['--stack', stack], env: environment(endpoint) }
  const known = { api: 'rest', namesCallers: false, keepsBytes: true } as const
  const rest = { ...known, cli, region: REGION, credentials: CREDENTIALS, endpoints }
  return fromOutputs(outputs, rest, url => executeApi(url, endpoint), service)
}

/** `https://<api>.execute-api.<host>/<stage>` resolves only where the host's name does; the same by path always. */
const executeApi = (url: string, endpoint: string): string => {
  const { hostname, pathname } = new URL(url)
  return `${endpoint}/_aws/execute-api/${hostname.split('.', 1)}${pathname}`
}
