import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/** What may happen to one request on its way to a service and back. */
export type Fault =
  | 'reset-before'
  | 'reset-after'
  | 'truncated'
  | 'slow'
  | 'throttled'
  | 'internal-error'
  | 'unavailable'
  /** Closed by the service while it was kept: the next request on it is never read. */
  | 'stale'

export interface FaultProxy {
  readonly endpoint: string
  /** What was asked of the service, in order, whatever became of it: `PutItem`, `SendMessage`, `PUT`. */
  readonly seen: string[]
  /** The next requests meet these, one each; those after them meet none. */
  plan(...faults: readonly Fault[]): void
  /** The same for one operation alone. */
  planFor(operation: string, faults: readonly Fault[]): void
  /** The service's clock: a request that was signed five minutes off is refused, as AWS refuses it. */
  setAhead(milliseconds: number): void
  stop(): Promise<void>
}

/** Longer than the patience that the tests give their clients. */
const SLOW_MS = 1_000
const TOLERANCE_MS = 300_000

/** Stands between a client and a service, and breaks what a network breaks: connections, answers and time. */
export const faultProxy = async (target: string): Promise<FaultProxy> => {
  const seen: string[] = []
  const sockets = new Set<Socket>()
  const plans = new Map<string, Fault[]>()
  let ahead = 0

  const server = createServer((request, response) => void serve(request, response).catch(() => request.destroy()))
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const operation = operationOf(request)
    seen.push(operation)
    const fault = plans.get(operation)?.shift() ?? plans.get(ANY)?.shift()
    if (fault === 'reset-before' || fault === 'stale') return void request.socket.destroy()
    const body = await buffer(request)
    const refusal = isOff(request, Date.now() + ahead) ? LATE : REFUSALS[fault ?? '']
    if (refusal) {
      response.writeHead(refusal.status, { date: new Date(Date.now() + ahead).toUTCString() })
      return void response.end(JSON.stringify({ __type: `com.amazonaws#${refusal.code}`, message: 'said the proxy' }))
    }
    const answer = await passOn(target, request, body)
    if (fault === 'reset-after') return void request.socket.destroy()
    if (fault === 'slow') await sleep(SLOW_MS, undefined, { ref: false })
    response.writeHead(answer.status, { ...answer.headers, date: new Date(Date.now() + ahead).toUTCString() })
    if (fault !== 'truncated') return void response.end(answer.body)
    response.write(answer.body.subarray(0, Math.ceil(answer.body.length / 2) - 1))
    response.socket?.end(() => request.socket.destroy())
  }
  server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    plan: (...faults) => void plans.set(ANY, [...faults]),
    planFor: (operation, faults) => void plans.set(operation, [...faults]),
    setAhead: milliseconds => {
      ahead = milliseconds
    },
    stop: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise(closed => server.close(() => closed()))
    },
  }
}

const ANY = '*'

const LATE = { status: 400, code: 'InvalidSignatureException' }

const REFUSALS: Readonly<Record<string, { readonly status: number; readonly code: string }>> = {
  throttled: { status: 400, code: 'ThrottlingException' },
  'internal-error': { status: 500, code: 'InternalServerError' },
  unavailable: { status: 503, code: 'ServiceUnavailable' },
}

const operationOf = ({ headers, method = '' }: IncomingMessage): string =>
  String(headers['x-amz-target'] ?? method).replace(/^.*\./, '')

/** `20261116T040506Z` */
const isOff = ({ headers }: IncomingMessage, now: number): boolean => {
  const stamp = String(headers['x-amz-date'] ?? '')
  const signedAt = Date.parse(stamp.replace(/^(....)(..)(..T..)(..)(..)Z$/, '$1-$2-$3:$4:$5Z'))
  return Math.abs(signedAt - now) > TOLERANCE_MS
}

const passOn = (target: string, { method = '', url = '/', headers }: IncomingMessage, body: Buffer) =>
  new Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>((resolve, reject) => {
    const passed = forward(new URL(url, target), { method, headers }, async answer => {
      const { 'transfer-encoding': _, ...rest } = answer.headers
      const text = await buffer(answer)
      resolve({
        status: answer.statusCode ?? 0,
        headers: { ...rest, 'content-length': String(text.length) },
        body: text,
      })
    })
    passed.on('error', reject)
    passed.end(body)
  })
