import { isUtf8 } from 'node:buffer'
import type { APIGatewayProxyEvent, APIGatewayProxyEventV2 } from 'aws-lambda'
import { type Route, WEBHOOK_ROUTE } from '../../functions/contract/routes.ts'

/** A request as it came in, before API Gateway's manner of telling it. */
export interface FrontRequest {
  readonly method: string
  /** As sent, still encoded. */
  readonly path: string
  readonly query: string
  /** Names as spelled, repeated ones repeated. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  readonly source: string
  readonly requestId: string
  readonly sourceIp: string
  readonly at: Date
  /** @default WEBHOOK_ROUTE */
  readonly route?: Route
  /** Whom the IAM authorizer let through. @default - the route has no authorizer */
  readonly caller?: string
}

/** Who the sender called; behind API Gateway a domain, here `127.0.0.1:4000`. */
const hostOf = (request: FrontRequest): string => lastHeader(request, 'host') ?? 'localhost'

/** Payload format 2.0 of an HTTP API. */
export const httpApiEvent = (request: FrontRequest): APIGatewayProxyEventV2 => {
  const cookies = request.headers
    .filter(([name]) => name.toLowerCase() === 'cookie')
    .flatMap(([, value]) => value.split(/; */))
  const query = [...new URLSearchParams(request.query)]
  const { body, isBase64Encoded } = isText(request) ? asText(request.body) : asBase64(request.body)
  const routeKey = `ANY ${request.route ?? WEBHOOK_ROUTE}`
  return {
    version: '2.0',
    routeKey,
    rawPath: request.path,
    rawQueryString: request.query,
    ...(cookies.length > 0 && { cookies }),
    headers: joined(
      request.headers
        .map(([name, value]) => [name.toLowerCase(), value] as const)
        .filter(([name]) => name !== 'cookie'),
    ),
    ...(query.length > 0 && { queryStringParameters: joined(query) }),
    pathParameters: { source: request.source },
    requestContext: {
      accountId: ACCOUNT,
      apiId: 'local',
      ...(request.caller !== undefined && { authorizer: iamAuthorizer(request.caller) }),
      domainName: hostOf(request),
      domainPrefix: 'local',
      http: {
        method: request.method,
        path: request.path,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp,
        userAgent: lastHeader(request, 'user-agent') ?? '',
      },
      requestId: request.requestId,
      routeKey,
      stage: '$default',
      time: commonLogTime(request.at),
      timeEpoch: request.at.getTime(),
    },
    ...(body !== '' && { body }),
    isBase64Encoded: body !== '' && isBase64Encoded,
  }
}

/** Payload format 2.0 of a function URL, which knows no routes. */
export const functionUrlEvent = (request: FrontRequest): APIGatewayProxyEventV2 => {
  const { pathParameters: _, ...event } = httpApiEvent(request)
  const routeKey = '$default'
  return { ...event, routeKey, requestContext: { ...event.requestContext, routeKey } }
}

/** Each by the name of its payload format; a function URL has the format of an HTTP API. */
export const GATEWAY_EVENTS = {
  v1: (request: FrontRequest) => restApiEvent(request),
  v2: httpApiEvent,
  url: functionUrlEvent,
} as const

export type GatewayFormat = keyof typeof GATEWAY_EVENTS

/** Payload format 1.0 of a REST API whose binary media types are all of them, as the stack makes it. */
export const restApiEvent = (request: FrontRequest): APIGatewayProxyEvent => {
  const query = [...new URLSearchParams(request.query)]
  const { body, isBase64Encoded } = asBase64(request.body)
  return {
    resource: request.route ?? WEBHOOK_ROUTE,
    path: request.path,
    httpMethod: request.method,
    headers: Object.fromEntries(request.headers),
    multiValueHeaders: grouped(request.headers),
    queryStringParameters: query.length > 0 ? Object.fromEntries(query) : null,
    multiValueQueryStringParameters: query.length > 0 ? grouped(query) : null,
    pathParameters: { source: request.source },
    stageVariables: null,
    requestContext: {
      accountId: ACCOUNT,
      apiId: 'local',
      authorizer: null,
      domainName: hostOf(request),
      domainPrefix: 'local',
      httpMethod: request.method,
      identity: {
        ...NOBODY,
        ...(request.caller !== undefined && identityOf(request.caller)),
        sourceIp: request.sourceIp,
        userAgent: lastHeader(request, 'user-agent') ?? null,
      },
      path: request.path,
      protocol: 'HTTP/1.1',
      requestId: request.requestId,
      requestTime: commonLogTime(request.at),
      requestTimeEpoch: request.at.getTime(),
      resourceId: 'local',
      resourcePath: request.route ?? WEBHOOK_ROUTE,
      stage: 'prod',
    },
    body: body === '' ? null : body,
    isBase64Encoded: body !== '' && isBase64Encoded,
  }
}

/**
 * What an HTTP API hands over as text; all else is base64, a form and a body without a type included. Text that is not UTF-8
 * is base64 here too: what AWS does with it is not documented, and the local instance should not be where bytes get lost.
 */
const TEXT = /^(text\/.+|application\/(json|xml|javascript))$/

const isText = (request: FrontRequest): boolean => {
  const type = (lastHeader(request, 'content-type') ?? '').split(';', 1)[0] ?? ''
  return TEXT.test(type.trim().toLowerCase()) && isUtf8(request.body)
}

interface Encoded {
  readonly body: string
  readonly isBase64Encoded: boolean
}

const asText = (body: Buffer): Encoded => ({ body: body.toString('utf8'), isBase64Encoded: false })
const asBase64 = (body: Buffer): Encoded => ({ body: body.toString('base64'), isBase64Encoded: true })

const lastHeader = (request: FrontRequest, wanted: string): string | undefined =>
  request.headers.findLast(([name]) => name.toLowerCase() === wanted)?.[1]

const grouped = (pairs: readonly (readonly [string, string])[]): Record<string, string[]> => {
  const groups = new Map<string, string[]>()
  for (const [name, value] of pairs) groups.set(name, [...(groups.get(name) ?? []), value])
  return Object.fromEntries(groups)
}

const joined = (pairs: readonly (readonly [string, string])[]): Record<string, string> =>
  Object.fromEntries(Object.entries(grouped(pairs)).map(([name, values]) => [name, values.join(',')]))

/** `16/Nov/2026:01:46:46 +0000` */
const commonLogTime = (at: Date): string => {
  const [, day, month, year, time] = at.toUTCString().split(' ')
  return `${day}/${month}/${year}:${time} +0000`
}

const ACCOUNT = '000000000000'

/** An IAM user, as each of the two formats tells of one. On a laptop, who says to be `alice` is alice. */
const arnOf = (caller: string): string => `arn:aws:iam::${ACCOUNT}:user/${caller}`

const iamAuthorizer = (caller: string) => ({
  iam: {
    accessKey: caller,
    accountId: ACCOUNT,
    callerId: caller,
    cognitoIdentity: null,
    principalOrgId: null,
    userArn: arnOf(caller),
    userId: caller,
  },
})

const identityOf = (caller: string) => ({
  accessKey: caller,
  accountId: ACCOUNT,
  caller,
  user: caller,
  userArn: arnOf(caller),
})

const NOBODY: Omit<APIGatewayProxyEvent['requestContext']['identity'], 'sourceIp' | 'userAgent'> = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
}
