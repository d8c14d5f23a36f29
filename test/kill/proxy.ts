import { createServer, type IncomingMessage, type ServerResponse, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../simulation/random.ts'
import { SPEED } from './clock.ts'

export const LOSSES = ['lost-request', 'lost-answer', 'late', 'slow'] as const
export type Loss = (typeof LOSSES)[number]

export interface LossyProxy {
  readonly url: string
  readonly losses: Record<Loss, number>
  /** May change: an engine that was killed comes back on another port. */
  target: string
  /** The share of calls that something happens to. */
  rate: number
  stop(): void
}

/** Longer than the SDK waits (2.5 s): the call arrives after its caller has given up, or has sent it again. */
const LATE_MS = 3_500
const SLOW_MS = 1_500

/** A network between the functions and one engine. */
export const startProxy = async (target: string, luck: Chance): Promise<LossyProxy> => {
  const losses: LossyProxy['losses'] = { 'lost-request': 0, 'lost-answer': 0, late: 0, slow: 0 }

  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const loss = luck.happens(proxy.rate) ? luck.pick(LOSSES) : undefined
    const body = await buffer(request)
    if (loss) losses[loss]++
    if (loss === 'lost-request') return void request.socket.destroy()
    if (loss === 'late') await sleep(LATE_MS)
    if (loss === 'slow') await sleep(luck.between(50, SLOW_MS))
    const answer = await forwarded(proxy.target, request, inFastTime(request, body))
    if (loss === 'lost-answer') return void request.socket.destroy()
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }

  const server = createServer((request, response) => {
    // An engine that was killed, or a function that is gone: a broken connection, as it would be.
    pass(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const proxy: LossyProxy = {
    url: `http://127.0.0.1:${port}`,
    losses,
    target,
    rate: 0,
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return proxy
}

interface Forwarded {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly body: Buffer
}

/** How long a message is to be hidden is said in the time of the functions, and the queue's clock is not fast. */
const inFastTime = ({ headers }: IncomingMessage, body: Buffer): Buffer => {
  if (headers['x-amz-target'] !== 'AmazonSQS.ChangeMessageVisibility') return body
  const asked = JSON.parse(body.toString())
  return Buffer.from(JSON.stringify({ ...asked, VisibilityTimeout: Math.ceil(asked.VisibilityTimeout / SPEED) }))
}

const forwarded = (
  target: string,
  { method, url, headers: given }: IncomingMessage,
  body: Buffer,
): Promise<Forwarded> =>
  new Promise((resolve, reject) => {
    const headers = { ...given, 'content-length': String(body.length) }
    const outgoing = send(new URL(url ?? '/', target), { method, headers }, answer => {
      buffer(answer).then(
        bytes => resolve({ status: answer.statusCode ?? 502, headers: answer.headers, body: bytes }),
        reject,
      )
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
