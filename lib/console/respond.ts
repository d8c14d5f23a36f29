import type { ServerResponse } from 'node:http'
import { type Problem, type ProblemType, problem } from './problem.ts'

/** Nothing from elsewhere, nothing inline, nothing framed, nothing kept; and no string ever becomes markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
} as const

export const send = (response: ServerResponse, status: number, contentType: string, body: string): void => {
  if (response.headersSent) {
    response.destroy()
    return
  }
  response.writeHead(status, { ...HEADERS, 'content-type': contentType, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

export const sendJson = (response: ServerResponse, value: unknown, status = 200): void =>
  send(response, status, 'application/json; charset=utf-8', JSON.stringify(value))

export const sendProblem = (response: ServerResponse, type: ProblemType, detail: string): void =>
  sendGiven(response, problem(type, detail))

export const sendGiven = (response: ServerResponse, given: Problem): void => {
  if (given.status === 401 && !response.headersSent) response.setHeader('www-authenticate', 'Bearer')
  send(response, given.status, 'application/problem+json', JSON.stringify(given))
}

/** One JSON value a line, as they come; an empty line now and then shows that the line is still open. */
export const sendLines = async (response: ServerResponse, lines: AsyncIterable<unknown>): Promise<void> => {
  // Not kept alive afterwards: a console that closes would wait for it.
  const contentType = 'application/x-ndjson; charset=utf-8'
  response.writeHead(200, { ...HEADERS, 'content-type': contentType, connection: 'close' })
  response.flushHeaders()
  for await (const line of lines) {
    if (response.destroyed) return
    response.write(`${line === null ? '' : JSON.stringify(line)}\n`)
  }
  response.end()
}
