import { createHmac } from 'node:crypto'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { typicalEvent } from '../../lib/cost/typical-event.ts'
import { httpApiEvent } from '../../lib/local/gateway-events.ts'

export const SIZES = { '1KB': 1_000, '8KB': 8_000, '100KB': 100_000, '1MB': 1_000_000 } as const
export type Size = keyof typeof SIZES

export const SECRET = 'shpss_bench_0123456789abcdef'
/** Its sender names events in a header, and retries. */
export const SOURCE = 'shopify'

const TEMPLATE_ID = 'evt_00000000_000'
const templates = new Map<number, string>()

/** Made once: a megabyte of it takes longer than what is measured. */
const template = (bytes: number): string => {
  const known = templates.get(bytes) ?? typicalEvent(TEMPLATE_ID, bytes)
  templates.set(bytes, known)
  return known
}

/** One delivery of so many bytes, signed as Shopify signs, as API Gateway hands it over. */
export const delivery = (id: string, bytes: number, secret: string, at: number): APIGatewayProxyEventV2 => {
  const body = template(bytes).replace(TEMPLATE_ID, id)
  const signature = createHmac('sha256', secret).update(body).digest('base64')
  return httpApiEvent({
    method: 'POST',
    path: `/webhooks/${SOURCE}`,
    query: '',
    headers: [
      ['host', 'abc123.execute-api.us-east-1.amazonaws.com'],
      ['content-type', 'application/json'],
      ['x-shopify-hmac-sha256', signature],
      ['x-shopify-event-id', id],
      ['x-shopify-webhook-id', `delivery-${id}`],
      ['x-shopify-topic', 'orders/paid'],
      ['x-shopify-shop-domain', 'acme.myshopify.com'],
    ],
    body: Buffer.from(body),
    source: SOURCE,
    requestId: `req-${id}`,
    sourceIp: '203.0.113.7',
    at: new Date(at),
  }) as APIGatewayProxyEventV2
}
