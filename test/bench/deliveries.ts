import { createHmac } from 'node:crypto'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { typicalEvent } from '../../lib/cost/typical-event.ts'
import { httpApiEvent } from '../../lib/local/gateway-events.ts'

export const SIZES = { '1KB': 1_000, '8KB': 8_000, '100KB': 100_000, '1MB': 1_000_000 } as const
export type Size = keyof typeof SIZES

export const SECRET = 'whsec_bench_0123456789abcdef'

/** One delivery of a Stripe event of so many bytes, as API Gateway hands it over. */
export const delivery = (id: string, bytes: number, secret: string, at: number): APIGatewayProxyEventV2 => {
  const body = typicalEvent(id, bytes)
  const seconds = Math.floor(at / 1000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
  return httpApiEvent({
    method: 'POST',
    path: '/webhooks/stripe',
    query: '',
    headers: [
      ['host', 'abc123.execute-api.us-east-1.amazonaws.com'],
      ['content-type', 'application/json; charset=utf-8'],
      ['user-agent', 'Stripe/1.0 (+https://stripe.com/docs/webhooks)'],
      ['stripe-signature', `t=${seconds},v1=${signature}`],
    ],
    body: Buffer.from(body),
    source: 'stripe',
    requestId: `req-${id}`,
    sourceIp: '203.0.113.7',
    at: new Date(at),
  }) as APIGatewayProxyEventV2
}
