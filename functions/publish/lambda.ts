import { callerOf, routeOf, toDelivery } from '../adapters/api-gateway.ts'
import { PUBLISH_BATCH_ROUTE } from '../contract/routes.ts'
import { type GatewayHandler, sentenceHandler } from '../receive/lambda.ts'
import type { World } from '../receive/world.ts'
import type { Publication, PublishOutcome } from './publication.ts'
import { publish } from './publish.ts'
import { reply } from './reply.ts'

/** The sentence as a Lambda: with the early timeout, the log line and the net of every delivery. */
export const publishHandler = (world: World, write: (line: string) => void): GatewayHandler =>
  sentenceHandler<Publication, PublishOutcome>(world, write, {
    read: (event, receivedAt) => ({
      delivery: toDelivery(event, receivedAt),
      caller: callerOf(event),
      form: routeOf(event) === PUBLISH_BATCH_ROUTE ? 'batch' : 'single',
    }),
    act: publish,
    reply,
  })
