import { createHmac } from 'node:crypto'
import { millis } from '../../functions/domain/brands.ts'
import type { Delivery } from '../../functions/domain/delivery.ts'

export interface Signed {
  readonly source: string
  readonly body: string
  readonly now: number
  readonly headers: readonly (readonly [string, string])[]
}

export const simDelivery = ({ source, body, now, headers }: Signed): Delivery => ({
  method: 'POST',
  source,
  url: `https://hooks.example.com/webhooks/${source}`,
  headers: new Map(headers.map(([name, value]) => [name, [value]])),
  body: Buffer.from(body),
  receivedAt: millis(now),
  correlationId: 'c',
  trace: {},
})

export const stripeHeaders = (body: string, secret: string, now: number): [string, string][] => {
  const seconds = Math.floor(now / 1000)
  return [['stripe-signature', `t=${seconds},v1=${hmac(secret, `${seconds}.${body}`)}`]]
}

export const githubHeaders = (id: string, body: string, secret: string): [string, string][] => [
  ['x-github-delivery', id],
  ['x-github-event', 'push'],
  ['x-hub-signature-256', `sha256=${hmac(secret, body)}`],
]

export const gocardlessHeaders = (body: string, secret: string): [string, string][] => [
  ['webhook-signature', hmac(secret, body)],
]

const hmac = (key: string, text: string): string => createHmac('sha256', key).update(text).digest('hex')
