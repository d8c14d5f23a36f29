import { randomUUID } from 'node:crypto'
import type { APIGatewayProxyEvent, APIGatewayProxyEventV2, Context } from 'aws-lambda'
import type { GatewayEvent } from '../../functions/adapters/api-gateway.ts'
import { type Millis, millis } from '../../functions/domain/brands.ts'
import { type Idempotency, type IdempotentOptions, idempotently } from '../../functions/idempotent/idempotent.ts'
import type { Note } from '../../functions/idempotent/rules.ts'
import { NOON } from './events.ts'
import { memoryRig } from './memory-rig.ts'

export interface Ask {
  readonly key?: string | null
  readonly caller?: string | null
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly body?: string
  readonly format?: 'v1' | 'v2'
}

export const askEvent = ({
  key = 'key-1',
  caller = 'AIDAALICE',
  method = 'POST',
  path = '/orders',
  query = '',
  body = '{"amount":1}',
  format = 'v2',
}: Ask = {}): GatewayEvent => {
  const headers = { 'content-type': 'application/json', ...(key !== null && { 'idempotency-key': key }) }
  if (format === 'v1') {
    return {
      resource: '/{proxy+}',
      path,
      httpMethod: method,
      headers,
      multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
      multiValueQueryStringParameters: query === '' ? null : { q: [query] },
      requestContext: {
        identity: { user: caller, caller },
        domainName: 'api.example.com',
        requestId: randomUUID(),
        path,
      },
      body,
      isBase64Encoded: false,
    } as unknown as APIGatewayProxyEvent
  }
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    headers,
    requestContext: {
      http: { method, path },
      domainName: 'api.example.com',
      requestId: randomUUID(),
      ...(caller !== null && { authorizer: { iam: { userId: caller, callerId: caller } } }),
    },
    body,
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2
}

// biome-ignore lint/suspicious/noExplicitAny: whatever a handler may answer
type Handled = any

export interface Answered {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly isBase64Encoded?: boolean
  readonly cookies?: readonly string[]
}

/** A handler behind the middleware, on memory, with a clock that a test moves. */
export const idempotentRig = (
  options: Partial<IdempotentOptions> & {
    handle?: (event: GatewayEvent, idempotency: Idempotency | undefined) => Handled
    remaining?: () => number
  } = {},
) => {
  let now: Millis = NOON
  const runs: (Idempotency | undefined)[] = []
  const notes: Note[] = []
  const { handle, remaining, ...rest } = options
  const wrapped = idempotently<GatewayEvent, Handled>(
    {
      store: memoryRig({ now: () => now }).stores.answers,
      now: () => now,
      onNote: note => void notes.push(note),
      ...rest,
    },
    async (event, _context, idempotency) => {
      runs.push(idempotency)
      return handle
        ? handle(event, idempotency)
        : {
            statusCode: 201,
            headers: { 'Content-Type': 'application/json', Location: '/orders/1', 'x-other': 'y' },
            body: `{"run":${runs.length}}`,
          }
    },
  )
  const context = { getRemainingTimeInMillis: remaining ?? (() => 10_000) } as Context
  return {
    runs,
    notes,
    now: () => now,
    ask: (ask: Ask = {}): Promise<Answered> => wrapped(askEvent(ask), context),
    advance: (milliseconds: number) => {
      now = millis(now + milliseconds)
    },
  }
}
