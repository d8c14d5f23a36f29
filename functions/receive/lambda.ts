import middy, { type MiddlewareObj } from '@middy/core'
import type { Context } from 'aws-lambda'
import { type GatewayEvent, type GatewayResponse, toDelivery } from '../adapters/api-gateway.ts'
import { UNKNOWN_SOURCE } from '../contract/metrics.ts'
import type { Millis } from '../domain/brands.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Outcome } from '../domain/outcome.ts'
import { canonicalLine } from '../middleware/canonical-log.ts'
import { outcomeOfError } from '../middleware/unexpected-error.ts'
import { capture } from './capture.ts'
import { receive } from './receive.ts'
import { reply } from './reply.ts'
import { withWaits } from './waits.ts'
import type { World } from './world.ts'

export type GatewayHandler = (event: GatewayEvent, context: Context) => Promise<GatewayResponse>

/** Time left to answer 503 ourselves, before Lambda would end the sentence with a 500. */
const ANSWER_BEFORE_MS = 1_000

/** The sentence as a Lambda: a delivery in, one log line, an answer out, and a net under it all. */
export const lambdaHandler = (world: World, write: (line: string) => void): GatewayHandler =>
  middy<Passing>({ timeoutEarlyInMillis: ANSWER_BEFORE_MS })
    .use(wrapped(world, write))
    .handler(passing => receive(passing.world, passing.delivery)) as unknown as GatewayHandler

/** What middy carries from the gateway's event to its response. */
interface Passing {
  readonly world: World
  readonly delivery: Delivery
  readonly waits: Readonly<Record<string, number>>
}

const wrapped = (world: World, write: (line: string) => void): MiddlewareObj<unknown, unknown> => {
  const answer = ({ delivery, waits }: Omit<Passing, 'world'>, outcome: Outcome): GatewayResponse => {
    const { status, headers, body } = reply(outcome, delivery.correlationId)
    const { environment } = world
    write(canonicalLine({ environment, delivery, outcome, status, waits, finishedAt: world.now() }))
    return { statusCode: status, headers, body }
  }
  return {
    before: request => {
      const delivery = toDelivery(request.event as GatewayEvent, world.now())
      request.event = { ...withWaits(world), delivery } satisfies Passing
    },
    after: async request => {
      const outcome = request.response as Outcome
      const { delivery } = request.event as Passing
      const response = answer(request.event as Passing, outcome)
      await capture(world, delivery, outcome, response.statusCode)
      request.response = response
    },
    onError: request => {
      const passing = isPassing(request.event) ? request.event : { delivery: unreadable(world.now()), waits: {} }
      request.response = answer(passing, outcomeOfError(request.error))
    },
  }
}

const isPassing = (event: unknown): event is Passing =>
  typeof event === 'object' && event !== null && 'delivery' in event

/** Stands for a gateway event that could not even be read: it is answered and logged like any other. */
const unreadable = (receivedAt: Millis): Delivery => ({
  method: '',
  source: UNKNOWN_SOURCE,
  url: '',
  headers: new Map(),
  body: new Uint8Array(),
  receivedAt,
  correlationId: 'unreadable',
  trace: {},
})
