import type { X509Certificate } from 'node:crypto'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { json } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { requireLoopback } from './loopback.ts'
import { noEmulator } from './no-emulator.ts'
import { MINISTACK_NAMES, MINISTACK_VERSION, startMiniStack } from './start-ministack.ts'

/** Not LocalStack's: both may run. */
const DEFAULT_ENDPOINT = 'https://127.0.0.1:4777'

export interface MiniStack {
  readonly endpoint: string
  readonly version: string
  /** Its own, in PEM: whoever calls it has to trust it. */
  readonly certificate: string
  /** It was started here. */
  readonly isOurs: boolean
  /** Ends it, if it is ours. */
  stop(): Promise<void>
}

/** What one says of itself. */
export type Answering = Omit<MiniStack, 'isOurs' | 'stop'>

/**
 * The one that runs at AWS_ENDPOINT_URL or on port 4777, else one started from a venv, else a sentence: never a silent skip. One of
 * `own` is started in any case.
 */
export const findMiniStack = async (env: NodeJS.ProcessEnv, own = false): Promise<MiniStack> => {
  const endpoint = requireLoopback(env.AWS_ENDPOINT_URL || DEFAULT_ENDPOINT).origin
  // What one's functions do is seen from their processes, so it has to be started that way.
  const isNew = own || Boolean(env.IT_CALLS)
  const running = isNew ? undefined : await askMiniStack(endpoint)
  if (running) return { ...running, isOurs: false, stop: async () => {} }
  if (env.AWS_ENDPOINT_URL && !isNew) {
    throw noEmulator(
      `There is no MiniStack at ${endpoint}, which AWS_ENDPOINT_URL names: expected one that was started with ${FLAGS}. Without AWS_ENDPOINT_URL this command starts one itself.`,
    )
  }
  return startMiniStack(env, askMiniStack)
}

const FLAGS = `AUTH=true USE_SSL=1 BIND_HOST=127.0.0.1 and with MINISTACK_SSL_CERT and MINISTACK_SSL_KEY, a certificate for ${MINISTACK_NAMES.join(' and ')} (ministack ${MINISTACK_VERSION})`

/** Nothing, if nobody answers. An emulator that lets everybody do everything, or that has no TLS, would prove nothing. */
export const askMiniStack = async (endpoint: string): Promise<Answering | undefined> => {
  const { protocol, hostname, port } = new URL(endpoint)
  if (protocol !== 'https:') {
    throw noEmulator(
      `${endpoint} is not https: the policies of queues and buckets refuse calls without TLS. Start MiniStack with ${FLAGS}.`,
    )
  }
  const shown = await certificateAt(hostname, Number(port || 443))
  if (shown === undefined) return undefined
  const missing = MINISTACK_NAMES.filter(name => !(isIP(name) ? shown.checkIP(name) : shown.checkHost(name)))
  if (missing.length > 0) {
    throw noEmulator(
      `The certificate of the emulator at ${endpoint} does not name ${missing.join(' and ')}, so functions would not call it. Start MiniStack with ${FLAGS}.`,
    )
  }
  const certificate = shown.toString()
  const health = await healthAt(endpoint, certificate)
  if (health === undefined) return undefined
  if (health.auth !== 'enabled') {
    throw noEmulator(
      `The emulator at ${endpoint} authorises nobody, so it proves nothing about roles. Start MiniStack with ${FLAGS}.`,
    )
  }
  return { endpoint, version: health.version ?? 'of an unknown version', certificate }
}

/** It signs its own, and it is on this machine: what it shows is what we trust. */
const certificateAt = (host: string, port: number): Promise<X509Certificate | undefined> =>
  new Promise(resolve => {
    const socket = connect({ host, port, rejectUnauthorized: false, timeout: 5_000 })
    const answer = (certificate?: X509Certificate): void => {
      socket.destroy()
      resolve(certificate)
    }
    socket.once('secureConnect', () => answer(socket.getPeerX509Certificate()))
    socket.once('error', () => answer())
    socket.once('timeout', () => answer())
  })

interface Health {
  readonly auth?: string
  readonly version?: string
}

const healthAt = (endpoint: string, ca: string): Promise<Health | undefined> =>
  new Promise(resolve => {
    const asked = request(`${endpoint}/_ministack/health`, { ca, timeout: 5_000 }, answer =>
      json(answer).then(
        health => resolve(health as Health),
        () => resolve(undefined),
      ),
    )
    asked.once('timeout', () => asked.destroy(new Error('no answer')))
    asked.once('error', () => resolve(undefined)).end()
  })
