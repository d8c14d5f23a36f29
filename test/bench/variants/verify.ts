import { createHmac, timingSafeEqual } from 'node:crypto'
import type { APIGatewayProxyEventV2 } from 'aws-lambda'

/** What every receiver does, by hand: the bytes if their signature is right, else undefined. */
export const verified = (event: APIGatewayProxyEventV2, secret: string): Buffer | undefined => {
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8')
  const expected = createHmac('sha256', secret).update(body).digest()
  const given = Buffer.from(event.headers['x-shopify-hmac-sha256'] ?? '', 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected) ? body : undefined
}
