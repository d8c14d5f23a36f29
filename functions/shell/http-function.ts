import middy, { type MiddlewareObj } from '@middy/core'
import type { Context } from 'aws-lambda'
import type { GatewayEvent, GatewayResponse } from '../adapters/api-gateway.ts'
import { UNKNOWN_SOURCE } from '../contract/metrics.ts'
import type { Millis } from '../domain/brands.ts'
import type { Delivery } from '../domain/delivery.ts'
import { causeOf } from '../domain/fault.ts'
import type { Reply } from '../domain/http.ts'
import { type Ending, outage } from '../domain/outcome.ts'
import type { Receiving } from '../domain/world.ts'
import { type Account, canonicalLine } from '../log/delivery-line.ts'
import { timedWorlds, type Waits } from './waits.ts'

export type GatewayHandler = (event: GatewayEvent, context: Context) => Promise<GatewayResponse>

/** Time left to answer 503 ourselves, before Lambda would answer 500. */
const ANSWER_BEFORE_MS = 1_000

/** What differs between the functions behind the front: how a request is read, what is done, how it is answered. */
export interface Flow<Asked extends { readonly delivery: Delivery }, Ended extends Account['outcome']> {
  readonly read: (event: GatewayEvent, receivedAt: Millis) => Asked
  readonly act: (world: Receiving, asked: Asked) => Promise<Ended>
  readonly reply: (outcome: Ended | Ending<'unavailable'>, correlationId: string) => Reply
  /** When the answer is known, and before it is given. */
  readonly afterwards?: (world: Receiving, asked: Asked, outcome: Ended, status: number) => Promise<void> | undefined
}

/** A flow as a Lambda: a request in, one log line, an answer out, and a net under it all. */
export const httpFunction = <Asked extends { readonly delivery: Delivery }, Ended extends Account['outcome']>(
  world: Receiving,
  write: (line: string) => void,
  flow: Flow<Asked, Ended>,
): GatewayHandler =>
  middy<Passing<Asked>>({ timeoutEarlyInMillis: ANSWER_BEFORE_MS })
    .use(wrapped(world, write, flow))
    .handler(passing => flow.act(passing.world, passing.asked)) as unknown as GatewayHandler

/** What middy carries from the gateway's event to its response. */
interface Passing<Asked> {
  readonly world: Receiving
  readonly asked: Asked
  readonly waits: Waits
}

const wrapped = <Asked extends { readonly delivery: Delivery }, Ended extends Account['outcome']>(
  world: Receiving,
  write: (line: string) => void,
  { read, reply: answerTo, afterwards }: Flow<Asked, Ended>,
): MiddlewareObj<unknown, unknown> => {
  const timed = timedWorlds(world)
  const answer = (delivery: Delivery, waits: Waits, outcome: Ended | Ending<'unavailable'>): GatewayResponse => {
    const { status, headers, body } = answerTo(outcome, delivery.correlationId)
    const { environment, domain } = world
    write(canonicalLine({ environment, domain, delivery, outcome, status, waits, finishedAt: world.now() }))
    return { statusCode: status, headers, body }
  }
  return {
    before: request => {
      const asked = read(request.event as GatewayEvent, world.now())
      request.event = { ...timed(), asked } satisfies Passing<Asked>
    },
    // Middy waits for a promise alone, and mostly there is nothing to wait for.
    after: request => {
      const { asked, waits } = request.event as Passing<Asked>
      const outcome = request.response as Ended
      const response = answer(asked.delivery, waits, outcome)
      request.response = response
      return afterwards?.(world, asked, outcome, response.statusCode)
    },
    onError: request => {
      const { asked, waits } = isPassing<Asked>(request.event) ? request.event : { asked: undefined, waits: {} }
      request.response = answer(asked?.delivery ?? unreadable(world.now()), waits, outcomeOfError(request.error))
    },
  }
}

const isPassing = <Asked>(event: unknown): event is Passing<Asked> =>
  typeof event === 'object' && event !== null && 'asked' in event

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

/** The last net: a surprise is a 503, so the sender comes again. Its message goes to the log, not to the sender. */
const outcomeOfError = (error: unknown): Ending<'unavailable'> =>
  outage(error instanceof Error && error.name === 'TimeoutError' ? 'deadline' : 'surprise', causeOf(error))
