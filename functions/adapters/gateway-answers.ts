import type { HttpAnswer, HttpRequest } from '../domain/http.ts'
import { type GatewayEvent, isHttpApi, readRequest } from './api-gateway.ts'

/** Either payload format as one kind of request. The path is the one that was called, not its template: `/orders/1` is not `/orders/2`. */
export const toRequest = (event: GatewayEvent): HttpRequest => {
  const { method, headers, body, url } = readRequest(event)
  const mark = url.indexOf('?')
  const query = mark < 0 ? '' : url.slice(mark + 1)
  return { method, headers, body, path: isHttpApi(event) ? event.rawPath : event.path, query }
}

/** What a handler returned. An HTTP API takes anything that is not a response for the body of a 200, a REST API for a 502. */
export const toAnswer = (event: GatewayEvent, response: unknown): HttpAnswer => {
  if (!isResponse(response)) {
    if (!isHttpApi(event)) return { status: NO_RESPONSE, headers: {}, body: '', base64: false }
    const body = typeof response === 'string' ? response : (JSON.stringify(response) ?? '')
    return { status: 200, headers: { 'content-type': 'application/json' }, body, base64: false }
  }
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = response
  const said = [headers, multiValueHeaders].flatMap(each => Object.entries(each ?? {}))
  const named = said.flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name.toLowerCase(), [value].flat().join(', ')]],
  )
  return {
    status: Number(statusCode) || NO_RESPONSE,
    headers: Object.fromEntries(named),
    body: body ?? '',
    base64: isBase64Encoded === true,
  }
}

const NO_RESPONSE = 502

/** The handler's own response with more headers: what we do not know of it, such as cookies, stays. */
export const withHeaders = (event: GatewayEvent, response: unknown, more: Readonly<Record<string, string>>): object => {
  const known = isResponse(response) ? response : fromAnswer(toAnswer(event, response))
  return { ...known, headers: { ...known.headers, ...more } }
}

export const fromAnswer = ({ status, headers, body, base64 }: HttpAnswer): Response => ({
  statusCode: status,
  headers,
  body,
  ...(base64 && { isBase64Encoded: true }),
})

interface Response {
  readonly statusCode: number | string
  readonly headers?: Readonly<Record<string, unknown>> | null
  readonly multiValueHeaders?: Readonly<Record<string, unknown>> | null
  /** Whoever keeps it looks whether it is one. */
  readonly body?: string | null
  readonly isBase64Encoded?: boolean
}

const isResponse = (value: unknown): value is Response =>
  typeof value === 'object' && value !== null && 'statusCode' in value
