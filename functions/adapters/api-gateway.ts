import type { APIGatewayProxyEvent, APIGatewayProxyEventV2, APIGatewayProxyEventV2WithIAMAuthorizer } from 'aws-lambda'
import type { Millis } from '../domain/brands.ts'
import { type Caller, withoutSession } from '../domain/caller.ts'
import type { Delivery, HeaderMap } from '../domain/delivery.ts'

/** HTTP API or function URL (payload 2.0), or REST API (1.0): the ways a delivery reaches the function. */
export type GatewayEvent = APIGatewayProxyEventV2 | APIGatewayProxyEvent

export interface GatewayResponse {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const toDelivery = (event: GatewayEvent, receivedAt: Millis): Delivery => {
  const request = readRequest(event)
  return {
    ...request,
    url: `${protocolOf(request.headers)}://${request.url}`,
    source: event.pathParameters?.source ?? sourceOfRoute(event),
    receivedAt,
    correlationId: event.requestContext.requestId,
    trace: traceOf(request.headers),
  }
}

/** In `/webhooks/stripe`, the route of a source of the stack, nothing is variable. */
const sourceOfRoute = (event: GatewayEvent): string => routeOf(event).split('/')[2] ?? ''

/** Its `url` is still without a protocol. */
export const readRequest = (event: GatewayEvent): Pick<Delivery, 'method' | 'url' | 'headers' | 'body'> => ({
  ...(isHttpApi(event) ? fromHttpApi(event) : fromRestApi(event)),
  body: rawBytes(event),
})

/** The route as the stack spells it: `/publish/{source}/batch`. A function URL has no routes, and its function gets every path. */
export const routeOf = (event: GatewayEvent): string => {
  if (!isHttpApi(event)) return event.resource
  return event.routeKey === '$default' ? routeOfPath(event.rawPath) : event.routeKey.replace(/^\S+ /, '')
}

/** Names of sources need no encoding; any other path is no route. */
const routeOfPath = (path: string): string => (/^\/(?:webhooks|publish)\/[^/]+(?:\/batch)?$/.test(path) ? path : '')

/** The principal that API Gateway's IAM authorizer has checked; null where there was none. */
export const callerOf = (event: GatewayEvent): Caller | null => {
  const said = isHttpApi(event) ? fromIamAuthorizer(event) : event.requestContext.identity
  const uniqueId = said?.cognitoIdentityId ?? said?.user ?? said?.caller
  if (!said || !uniqueId) return null
  return { id: withoutSession(uniqueId), accountId: said.accountId ?? '', arn: said.userArn ?? '' }
}

/** What both fronts tell of a principal. Every visitor of a Cognito identity pool has the same role: there the identity tells them apart. */
type Principal = Pick<
  APIGatewayProxyEvent['requestContext']['identity'],
  'user' | 'caller' | 'accountId' | 'userArn' | 'cognitoIdentityId'
>

const fromIamAuthorizer = (event: APIGatewayProxyEventV2): Principal | undefined => {
  const { iam } = (event as Partial<APIGatewayProxyEventV2WithIAMAuthorizer>).requestContext?.authorizer ?? {}
  const cognito = iam?.cognitoIdentity as { readonly identityId?: string } | null | undefined
  return (
    iam && {
      user: iam.userId,
      caller: iam.callerId,
      accountId: iam.accountId,
      userArn: iam.userArn,
      cognitoIdentityId: cognito?.identityId ?? null,
    }
  )
}

export const isHttpApi = (event: GatewayEvent): event is APIGatewayProxyEventV2 =>
  'version' in event && event.version === '2.0'

type Request = Pick<Delivery, 'method' | 'url' | 'headers'>

/** A front in AWS is only ever called by https; a front door on a laptop says that it was not. */
const protocolOf = (headers: HeaderMap): string => (headers.get('x-forwarded-proto')?.[0] === 'http' ? 'http' : 'https')

/** HTTP APIs lower-case names and join repeated headers with a comma: what was one header or two can no longer be told. */
const fromHttpApi = (event: APIGatewayProxyEventV2): Request => {
  const query = event.rawQueryString === '' ? '' : `?${event.rawQueryString}`
  return {
    method: event.requestContext.http.method,
    url: `${event.requestContext.domainName}${event.rawPath}${query}`,
    headers: lowerCased(event.headers),
  }
}

/** REST APIs hand the query over decoded: it is encoded anew, which is the sender's spelling for all but exotic ones. */
const fromRestApi = (event: APIGatewayProxyEvent): Request => {
  const pairs = Object.entries(event.multiValueQueryStringParameters ?? {}).flatMap(([name, values]) =>
    (values ?? []).map(value => `${encoded(name)}=${encoded(value)}`),
  )
  const query = pairs.length === 0 ? '' : `?${pairs.join('&')}`
  const headers = event.multiValueHeaders ?? event.headers ?? {}
  return {
    method: event.httpMethod,
    url: `${event.requestContext.domainName}${event.requestContext.path}${query}`,
    headers: lowerCased(headers),
  }
}

/** Half a surrogate pair, which no URL can hold, would throw. */
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

const lowerCased = (said: Readonly<Record<string, string | string[] | undefined>>): HeaderMap => {
  const headers = new Map<string, readonly string[]>()
  for (const name of Object.keys(said)) {
    const key = name.toLowerCase()
    const values = said[name] ?? NO_VALUES
    const before = headers.get(key)
    // Joining each with an empty list took four times as long.
    headers.set(key, before ? before.concat(values) : typeof values === 'string' ? [values] : values)
  }
  return headers
}

const NO_VALUES: readonly string[] = []

/** The flag is the gateway's, not the sender's: it says how the gateway wrapped the bytes, and only it is asked. */
const rawBytes = (event: GatewayEvent): Uint8Array =>
  Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')

/** As the specification spells it: a sender's header that is not trace context goes no further. */
const TRACEPARENT = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/
const AMAZON_TRACE = /^[\w=;:.-]{1,256}$/

const traceOf = (headers: HeaderMap): Delivery['trace'] => {
  const traceparent = headers.get('traceparent')?.[0]
  const amazonTrace = headers.get('x-amzn-trace-id')?.[0]
  return {
    ...(traceparent !== undefined && TRACEPARENT.test(traceparent) && { traceparent }),
    ...(amazonTrace !== undefined && AMAZON_TRACE.test(amazonTrace) && { amazonTrace }),
  }
}
