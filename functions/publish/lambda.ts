import { callerOf, routeOf, toDelivery } from '../adapters/api-gateway.ts'
import { PUBLISH_BATCH_ROUTE } from '../contract/routes.ts'
import type { Receiving } from '../domain/world.ts'
import { type GatewayHandler, httpFunction } from '../shell/http-function.ts'
import type { Publication, PublishOutcome } from './publication.ts'
import { publish } from './publish.ts'
import { reply } from './reply.ts'

const stepsOf = (route: string): number => route.split('/').length

/** By its length, and not by how it ends: a source may be called batch. */
const BATCH_STEPS = stepsOf(PUBLISH_BATCH_ROUTE)

/** The flow as a Lambda: with the early timeout, the log line and the net of every delivery. */
export const publishHandler = (world: Receiving, write: (line: string) => void): GatewayHandler =>
  httpFunction<Publication, PublishOutcome>(world, write, {
    read: (event, receivedAt) => ({
      delivery: toDelivery(event, receivedAt),
      caller: callerOf(event),
      form: stepsOf(routeOf(event)) === BATCH_STEPS ? 'batch' : 'single',
    }),
    act: publish,
    reply,
  })
