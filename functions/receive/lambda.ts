import { toDelivery } from '../adapters/api-gateway.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Outcome } from '../domain/outcome.ts'
import type { Receiving } from '../domain/world.ts'
import { type GatewayHandler, httpFunction } from '../shell/http-function.ts'
import { capture } from './capture.ts'
import { receive } from './receive.ts'
import { reply } from './reply.ts'

/** The flow as a Lambda: with the early timeout, the log line and the net of every delivery. */
export const lambdaHandler = (world: Receiving, write: (line: string) => void): GatewayHandler =>
  httpFunction<{ readonly delivery: Delivery }, Outcome>(world, write, {
    read: (event, receivedAt) => ({ delivery: toDelivery(event, receivedAt) }),
    act: (of, { delivery }) => receive(of, delivery),
    reply,
    afterwards: (of, { delivery }, outcome, status) => capture(of, delivery, outcome, status),
  })
