import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'
import { PUBLISH_BATCH_ROUTE, PUBLISH_ROUTE } from '../../functions/contract/routes.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { publishHandler } from '../../functions/publish/lambda.ts'
import { GATEWAY_EVENTS, type GatewayFormat } from '../../lib/local/gateway-events.ts'
import { type ReceiveRig, receiveRig } from './receive-rig.ts'

export interface PublishPost {
  readonly source?: string
  /** Null: nobody is signed in. */
  readonly caller?: string | null
  /** As it stands in the header; null: no header. A list: sent so many times. */
  readonly key?: string | null | readonly string[]
  readonly body?: string | Uint8Array
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly format?: GatewayFormat
  readonly batch?: boolean
}

export interface PublishAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: JSON, and the assertions say which
  readonly body: any
}

export interface PublishRig extends ReceiveRig {
  publish(post?: PublishPost): Promise<PublishAnswer>
}

export const ORDER = '{"orderId":"o-1","type":"order.created"}'

/** The publish function on the receiver's memory, from the API Gateway event to its response. */
export const publishRig = (options: { sources?: Sources; world?: Partial<ReceiveRig['world']> } = {}): PublishRig => {
  const at = receiveRig({
    sources: { orders: { provider: 'internal', allow: '*' }, stripe: { provider: 'stripe' } },
    ...options,
  })
  const handler = publishHandler(at.world, line => void at.lines.push(line))
  return {
    ...at,
    publish: async ({
      source = 'orders',
      caller = 'AIDAALICE',
      key = 'key-1',
      body = ORDER,
      method = 'POST',
      headers = {},
      format = 'v2',
      batch = false,
    } = {}) => {
      const keys = key === null ? [] : [key].flat()
      const request = {
        method,
        path: `/publish/${source}${batch ? '/batch' : ''}`,
        query: '',
        headers: [
          ['host', 'hooks.example.com'] as const,
          ['content-type', 'application/json'] as const,
          ...keys.map(each => ['Idempotency-Key', each] as const),
          ...Object.entries(headers),
        ],
        body: Buffer.from(body as Uint8Array),
        source,
        route: batch ? PUBLISH_BATCH_ROUTE : PUBLISH_ROUTE,
        ...(caller !== null && { caller }),
        requestId: randomUUID(),
        sourceIp: '203.0.113.7',
        at: new Date(at.world.now()),
      } as const
      const event = GATEWAY_EVENTS[format](request)
      const answer = await handler(event, {} as Context)
      return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) }
    },
  }
}
