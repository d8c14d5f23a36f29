import { randomUUID } from 'node:crypto'
import type { Context } from 'aws-lambda'
import Stripe from 'stripe'
import type { GatewayEvent } from '../../functions/adapters/api-gateway.ts'
import { randomFence, systemPause } from '../../functions/adapters/system.ts'
import type { Message } from '../../functions/contract/message.ts'
import { type Millis, millis } from '../../functions/domain/brands.ts'
import type { Destinations } from '../../functions/domain/destinations.ts'
import type { Sources } from '../../functions/domain/source.ts'
import type { Receiving, World } from '../../functions/domain/world.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { boundedKeeping } from '../../functions/receive/bounded-keeping.ts'
import { lambdaHandler } from '../../functions/receive/lambda.ts'
import { GATEWAY_EVENTS, type GatewayFormat } from '../../lib/local/gateway-events.ts'
import { NOON } from './events.ts'
import { type MemoryRig, memoryRig } from './memory-rig.ts'

export const STRIPE_SECRET = 'whsec_bench_0123456789abcdef'
export const GITHUB_SECRET = 'github-bench-0123456789abcdef'

const SOURCES: Sources = { stripe: { provider: 'stripe' }, github: { provider: 'github' } }

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly status?: string; readonly id?: string; readonly type?: string }
}

export interface Post {
  readonly source?: string
  readonly method?: string
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>> | readonly (readonly [string, string])[]
  readonly query?: string
  readonly format?: GatewayFormat
}

/** Counts what the receiver asks of the world, and lets a test break any of it. */
export type Calls = Record<string, number>

/** Every part of the world, the receiver's own and what stands behind the queue. */
export type RigWorld = Receiving & World

export interface ReceiveRig {
  readonly world: RigWorld
  readonly memory: MemoryRig
  readonly records: MemoryRig['records']
  readonly calls: Calls
  readonly lines: string[]
  /** What is on the queue, without its MACs. */
  messages(): Message[]
  post(post: Post): Promise<Answer>
  /** A delivery of a Stripe event, signed by Stripe's own library at the rig's time. */
  stripe(event: object, options?: { secret?: string; at?: number; raw?: string }): Promise<Answer>
  advance(milliseconds: number): void
}

/** The whole receiver on memory, from the API Gateway event to its response. */
export const receiveRig = (
  options: {
    sources?: Sources
    destinations?: Destinations
    secrets?: Record<string, string[]>
    world?: Partial<RigWorld>
  } = {},
): ReceiveRig => {
  let now: Millis = NOON
  const calls: Calls = {}
  const lines: string[] = []
  const secrets = options.secrets ?? { stripe: [STRIPE_SECRET], github: [GITHUB_SECRET] }
  const destinations = options.destinations ?? {}
  const memory = memoryRig({ now: () => now, secrets, destinations: Object.keys(destinations) })
  const { answers, ...stores } = memory.stores
  const world: RigWorld = {
    ...stores,
    claims: counted(stores.claims, calls),
    events: counted(stores.events, calls),
    records: counted(stores.records, calls),
    bodies: counted(stores.bodies, calls),
    keptBodies: counted(stores.keptBodies, calls),
    // What it knows by itself is no call.
    queue: { ...counted(stores.queue, calls), leadsTo: stores.queue.leadsTo },
    deliveries: { ...stores.deliveries, ...boundedKeeping(stores.deliveries, () => now) },
    environment: 'test',
    sources: resolveSources(options.sources ?? SOURCES, undefined, destinations),
    now: () => now,
    newFence: randomFence,
    pause: systemPause,
    random: () => 0,
    leaseMillis: millis(15_000),
    ...options.world,
  }
  const handler = lambdaHandler(world, line => void lines.push(line))

  const post: ReceiveRig['post'] = async ({
    source = 'stripe',
    method = 'POST',
    body = '',
    headers = {},
    query = '',
    format = 'v2',
  }) => {
    const request = {
      method,
      path: `/webhooks/${source}`,
      query,
      headers: [
        ['host', 'hooks.example.com'] as const,
        ...(Array.isArray(headers) ? headers : Object.entries(headers)),
      ],
      body: Buffer.from(body as Uint8Array),
      source,
      requestId: randomUUID(),
      sourceIp: '203.0.113.7',
      at: new Date(now),
    }
    const event: GatewayEvent = GATEWAY_EVENTS[format](request)
    const { statusCode, headers: answered, body: text } = await handler(event, {} as Context)
    return { status: statusCode, headers: answered, body: text.startsWith('{') ? JSON.parse(text) : { status: text } }
  }

  return {
    world,
    memory,
    records: memory.records,
    calls,
    lines,
    post,
    messages: () => memory.sent.map(text => unsealed(JSON.parse(text))),
    stripe: (event, { secret = STRIPE_SECRET, at = now, raw = JSON.stringify(event) } = {}) =>
      post({
        body: raw,
        headers: { 'content-type': 'application/json', 'stripe-signature': stripeHeader(raw, secret, at) },
      }),
    advance: milliseconds => {
      now = millis(now + milliseconds)
    },
  }
}

export const stripeHeader = (payload: string, secret: string, at: number): string =>
  new Stripe('sk_test_bench').webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / 1000) })

const unsealed = ({ mac: _, ...message }: Message & { readonly mac: string }): Message => message

const counted = <Port extends object>(port: Port, calls: Calls): Port =>
  Object.fromEntries(
    Object.entries(port).map(([name, value]) => [
      name,
      typeof value !== 'function'
        ? value
        : (...parameters: unknown[]) => {
            calls[name] = (calls[name] ?? 0) + 1
            return value(...parameters)
          },
    ]),
  ) as Port
