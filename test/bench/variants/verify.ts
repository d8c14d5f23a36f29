import { createHmac, timingSafeEqual } from 'node:crypto'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'

/** What every receiver does, by hand: the signature of the exact bytes, or undefined. */
export const verified = (event: APIGatewayProxyEventV2): Buffer | undefined => {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  const pairs = new Map((event.headers['stripe-signature'] ?? '').split(',').map(pair => pair.split('=') as [string, string]))
  const time = pairs.get('t') ?? ''
  const expected = createHmac('sha256', process.env.BENCH_SECRET ?? '')
    .update(`${time}.`)
    .update(body)
    .digest()
  const given = Buffer.from(pairs.get('v1') ?? '', 'hex')
  const fresh = Math.abs(Date.now() / 1000 - Number(time)) < 300
  return fresh && given.length === expected.length && timingSafeEqual(given, expected) ? body : undefined
}
