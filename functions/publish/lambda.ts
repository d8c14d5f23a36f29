import { callerOf, routeOf, toDelivery } from '../adapters/api-gateway.ts'
import { PUBLISH_BATCH_ROUTE, PUBLISH_ROUTE } from '../contract/routes.ts'
import type { Receiving } from '../domain/world.ts'
import { type GatewayHandler, httpFunction } from '../shell/http-function.ts'
import type { Publication, PublishOutcome } from './publication.ts'
import { publish } from './publish.ts'
import { reply } from './reply.ts'

/** How the route of a batch ends, and no other. */
const BATCH = PUBLISH_BATCH_ROUTE.slice(PUBLISH_ROUTE.length)

/** The flow as a Lambda: with the early timeout, the log line and the net of every delivery. */
export const publishHandler = (world: Receiving, write: (line: string) => void): GatewayHandler =>
  httpFunction<Publication, PublishOutcome>(world, write, {
    read: (event, receivedAt) => ({
      delivery: toDelivery(event, receivedAt),
      caller: callerOf(event),
      form: routeOf(event).endsWith(BATCH) ? 'batch' : 'single',
    }),
    act: publish,
    reply,
  })
