import { awsBodies } from '../../functions/adapters/aws-bodies.ts'
import { dynamodbEvents } from '../../functions/adapters/dynamodb-events.ts'
import type { BodyStore, Clock, EventStore } from '../../functions/domain/ports.ts'
import { deskClients } from '../local/desk-clients.ts'
import { isRefusal, type Refusal } from '../local/refusal.ts'
import { clockOf, runningInstance } from './running-instance.ts'

export interface Connection {
  readonly events: EventStore
  readonly bodies: BodyStore
  readonly now: Clock
}

/** The stores of the desk that runs in this directory. */
export const connect = (): Connection | Refusal => {
  const instance = runningInstance()
  if (isRefusal(instance)) return instance
  const { dynamodb, s3 } = deskClients(instance.endpoints)
  const { eventsTable, bodiesTable, bodiesBucket } = instance.resources
  return {
    events: dynamodbEvents(dynamodb, eventsTable),
    bodies: awsBodies({ dynamodb, table: bodiesTable, s3, bucket: bodiesBucket }),
    now: clockOf(instance),
  }
}
