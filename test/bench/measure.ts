import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Errand, Measured } from './child.ts'
import { SECRET } from './deliveries.ts'

export interface Setting {
  /** The bundled child. */
  readonly child: string
  readonly endpoint: string
  /** Where the CPU can be chosen (taskset), the measured process has one of its own. */
  readonly pinned: boolean
  /** PEM of who signed the endpoint's certificate. */
  readonly authority?: string
}

/** One fresh process that does one errand. */
export const measure = async (
  { child, endpoint, pinned, authority }: Setting,
  errand: Omit<Errand, 'secret' | 'prefix'>,
): Promise<Measured> => {
  const args = [child, JSON.stringify({ ...errand, secret: SECRET, prefix: randomUUID().slice(0, 8) } satisfies Errand)]
  const [command, all] = pinned ? ['taskset', ['-c', '1', process.execPath, ...args]] : [process.execPath, args]
  const process_ = spawn(command, all, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...environment(endpoint), ...(authority && { NODE_EXTRA_CA_CERTS: authority }) },
  })
  let text = ''
  process_.stdout.setEncoding('utf8').on('data', more => (text += more))
  const code = await new Promise<number | null>((resolve, reject) => {
    process_.once('error', reject)
    process_.once('close', resolve)
  })
  if (code !== 0) throw new Error(`the measured process of ${errand.bundle} ended with ${code}`)
  const measured: Measured = JSON.parse(text)
  if (measured.status !== 202) throw new Error(`${errand.bundle} answered ${measured.status}, expected 202`)
  return measured
}

/** What Lambda and the stack would set. */
export const environment = (endpoint: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'AKIABENCH',
  AWS_SECRET_ACCESS_KEY: 'bench',
  AWS_ENDPOINT_URL: endpoint,
  AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
  BENCH_SECRET: SECRET,
  HOOKLATCH_ENVIRONMENT: 'production',
  HOOKLATCH_EVENTS_TABLE: 'events',
  HOOKLATCH_BODIES_TABLE: 'bodies',
  HOOKLATCH_BODIES_BUCKET: 'bodies',
  HOOKLATCH_QUEUE_URL: `${endpoint}/000000000000/events`,
  HOOKLATCH_SIGNING_SECRETS: 'signing',
  HOOKLATCH_FINGERPRINT_KEY: 'key',
})
