import { randomBytes, randomUUID } from 'node:crypto'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Context } from 'aws-lambda'
import type { GatewayResponse } from '../../functions/adapters/api-gateway.ts'
import { RECEIVE_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import type { Clock } from '../../functions/domain/ports.ts'
import type { GatewayHandler } from '../../functions/shell/http-function.ts'
import { isLoopback } from './engines/refuse-strangers.ts'
import { type FrontRequest, GATEWAY_EVENTS, type GatewayFormat } from './gateway-events.ts'
import { matchRoute } from './match-route.ts'
import { readBody } from './read-body.ts'

export interface FrontOptions {
  readonly handler: GatewayHandler
  /** Behind the IAM authorizer. @default - there is no such route */
  readonly publish?: GatewayHandler
  /** What to be: `v2` an HTTP API, `v1` a REST API, `url` a function URL. @default 'v2' */
  readonly format?: GatewayFormat
  readonly now: Clock
  /** What `GET /` answers to whoever called this origin. */
  readonly welcome: (origin: string) => string
  /** Where an unexpected error of a handler goes; the sender is told no more than API Gateway would. */
  readonly onError: (error: unknown) => void
}

/** A slow sender is given up after this, as API Gateway does. */
const REQUEST_TIMEOUT_MS = 30_000

/** API Gateway in front of the function, on a laptop. Not listening yet. */
export const httpFront = (options: FrontOptions): Server => {
  const server = createServer((request, response) => {
    // A sender that goes away is its own affair.
    request.on('error', () => {})
    response.on('error', () => {})
    answer(options, request, response).catch(error => {
      options.onError(error)
      say(response, 500, 'Internal Server Error')
    })
  })
  server.requestTimeout = REQUEST_TIMEOUT_MS
  server.on('clientError', (_error, socket) => {
    if (socket.writable) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
    else socket.destroy()
  })
  return server
}

const answer = async (options: FrontOptions, request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const [path = '/', query = ''] = splitOnce(request.url ?? '/')
  if (path === '/' && request.method === 'GET') {
    response
      .writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
      .end(options.welcome(`http://${request.headers.host ?? '127.0.0.1'}`))
    return
  }
  const routed = routeTo(options, path, request)
  if ('refused' in routed) return say(response, routed.status, routed.refused)

  const body = await readBody(request)
  if (body === 'gone') return
  if (body === 'too-large') return say(response, 413, 'Request Entity Too Large')
  const requestId = randomUUID()
  const front: FrontRequest = {
    method: request.method ?? 'GET',
    path,
    query,
    headers: [...pairs(request.rawHeaders), ...gatewayHeaders(request, options.now())],
    body,
    ...routed.told,
    requestId,
    sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
    at: new Date(options.now()),
  }
  const event = GATEWAY_EVENTS[options.format ?? 'v2'](front)
  write(response, await routed.handler(event, lambdaContext(requestId)), requestId)
}

/** The function behind a path, and what API Gateway adds to its event; or what it says itself. */
const routeTo = (
  { handler, publish, format = 'v2' }: FrontOptions,
  path: string,
  { headers }: IncomingMessage,
): Routed | { readonly refused: string; readonly status: 403 | 404 } => {
  const matched = matchRoute(path)
  if (!matched) return { refused: 'Not Found', status: 404 }
  if (isFromPage(headers)) return { refused: 'This receiver takes nothing from a web page.', status: 403 }
  const { source, route, authorizer } = matched
  if (!authorizer) return { handler, told: { source, route } }
  if (!publish) return { refused: 'Not Found', status: 404 }
  if (!isLoopback(headers)) return { refused: 'Publish here by a loopback address.', status: 403 }
  const caller = accessKeyOf(headers.authorization)
  if (caller === undefined) return { refused: UNSIGNED[format], status: 403 }
  return { handler: publish, told: { source, route, caller } }
}

/** The access key id of a SigV4 `Authorization` header. Nobody checks the signature on a laptop: who says to be alice is alice. */
const accessKeyOf = (authorization: string | undefined): string | undefined => CREDENTIAL.exec(authorization ?? '')?.[1]

const CREDENTIAL =
  /^AWS4-HMAC-SHA256 (?:.*[ ,])?Credential=([^/\s,]{1,128})\/\d{8}\/[^/]+\/[^/]+\/aws4_request(?:$|[ ,])/

/**
 * A page that points its own name at this machine is of our origin, as far as its browser knows, and the secrets of a laptop are no
 * secrets. No sender is a browser; a tunnel has a name of its own, and is welcome.
 */
const isFromPage = (headers: IncomingHttpHeaders): boolean =>
  headers.origin !== undefined || (headers['sec-fetch-site'] ?? 'none') !== 'none'

interface Routed {
  readonly handler: GatewayHandler
  readonly told: Pick<FrontRequest, 'source' | 'route' | 'caller'>
}

/** What API Gateway says to a request that is not signed. */
const UNSIGNED = { v1: 'Missing Authentication Token', v2: 'Forbidden', url: 'Forbidden' } as const

const splitOnce = (url: string): [string, string] => {
  // A proxy's absolute form, `POST http://host/path`, means the same path.
  const target = url.replace(/^https?:\/\/[^/?]*/i, '')
  const at = target.indexOf('?')
  return at < 0 ? [target || '/', ''] : [target.slice(0, at) || '/', target.slice(at + 1)]
}

const pairs = (raw: readonly string[]): [string, string][] =>
  Array.from({ length: raw.length / 2 }, (_, at) => [raw[2 * at] ?? '', raw[2 * at + 1] ?? ''])

/** Those that API Gateway adds, unless a test brought its own. */
const gatewayHeaders = (request: IncomingMessage, now: number): [string, string][] => {
  const added: [string, string][] = [
    ['X-Amzn-Trace-Id', `Root=1-${Math.floor(now / 1000).toString(16)}-${randomBytes(12).toString('hex')}`],
    ['X-Forwarded-For', request.socket.remoteAddress ?? '127.0.0.1'],
    ['X-Forwarded-Port', String(request.socket.localPort ?? '')],
    ['X-Forwarded-Proto', 'http'],
  ]
  return added.filter(([name]) => request.headers[name.toLowerCase()] === undefined)
}

const write = (response: ServerResponse, result: GatewayResponse, requestId: string): void => {
  if (response.destroyed) return
  response.writeHead(result.statusCode, { ...result.headers, 'apigw-requestid': requestId }).end(result.body)
}

const say = (response: ServerResponse, status: number, message: string): void => {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ message }))
}

/** What our functions ask of Lambda. */
const lambdaContext = (awsRequestId: string): Context => {
  const deadline = performance.now() + RECEIVE_TIMEOUT_SECONDS * 1000
  const getRemainingTimeInMillis = () => Math.max(0, Math.floor(deadline - performance.now()))
  return { awsRequestId, getRemainingTimeInMillis } as Context
}
