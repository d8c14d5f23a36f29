import { createHmac } from 'node:crypto'
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda'
import { seconds } from '../domain/brands.ts'
import type { Source } from '../domain/source.ts'
import type { GatewayHandler } from '../shell/http-function.ts'

export const REHEARSED = 'rehearsal'

/** A sender of nobody's: the plainest signature, an id in the body. */
export const rehearsedSource: Source = {
  name: REHEARSED,
  provider: {
    id: REHEARSED,
    name: REHEARSED,
    scheme: { kind: 'none' },
    identity: { kind: 'body' },
    type: [],
    retry: { windowSeconds: 1 },
    deadlineSeconds: null,
    replayWindowSeconds: 1,
    confidence: 'high',
    docs: '',
  },
  scheme: {
    kind: 'hmac',
    hash: 'sha256',
    sig: { in: 'header', name: 'x-signature', layout: 'plain', encoding: 'hex' },
    signed: '{body}',
    key: { encoding: 'utf8' },
  },
  identity: { kind: 'id', id: ['json:id'] },
  type: ['json:type'],
  batch: null,
  keepHeaders: ['content-type'],
  memory: seconds(1),
  retain: 'none',
  guard: false,
  unique: null,
  bodySigned: true,
  publicUrl: null,
  storeFirst: false,
  reopens: true,
  quarantine: false,
  ordering: null,
  publish: null,
  schema: null,
  inFlightStatus: 409,
  config: {},
}

const BODY = '{"id":"rehearsal","type":"rehearsal"}'

/**
 * One delivery through the whole flow before the first real one: Node compiles a function when it is first called, and in
 * init that costs nothing of a sender's time. The handler is one whose world leads nowhere.
 */
export const rehearse = async (handler: GatewayHandler, secret: string): Promise<void> => {
  const signature = createHmac('sha256', secret).update(BODY).digest('hex')
  const event = {
    version: '2.0',
    rawPath: `/webhooks/${REHEARSED}`,
    rawQueryString: '',
    headers: { 'content-type': 'application/json', 'x-signature': signature },
    pathParameters: { source: REHEARSED },
    requestContext: { requestId: REHEARSED, domainName: REHEARSED, http: { method: 'POST' } },
    body: BODY,
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEventV2
  await handler(event, {} as Context)
}
