import { awsBodies } from '../../functions/adapters/aws-bodies.ts'
import { dynamodbEvents } from '../../functions/adapters/dynamodb-events.ts'
import { systemClock } from '../../functions/adapters/system.ts'
import { millis } from '../../functions/domain/brands.ts'
import type { BodyStore, Clock, EventStore } from '../../functions/domain/ports.ts'
import { deskClients } from '../local/desk-clients.ts'
import { type Instance, readInstance } from '../local/instance.ts'
import { type Refusal, refuse } from '../local/refusal.ts'

export interface Connection {
  readonly events: EventStore
  readonly bodies: BodyStore
  /** Of the instance: a desk with a frozen clock is asked at its own time. */
  readonly now: Clock
}

/** The stores of the desk that runs in this directory. */
export const connect = (): Connection | Refusal => {
  const instance = runningInstance()
  if ('refused' in instance) return instance
  const { dynamodb, s3 } = deskClients(instance.endpoints)
  const { eventsTable, bodiesTable, bodiesBucket } = instance.resources
  return {
    events: dynamodbEvents(dynamodb, eventsTable),
    bodies: awsBodies({ dynamodb, table: bodiesTable, s3, bucket: bodiesBucket }),
    now: clockOf(instance),
  }
}

export const runningInstance = (): Instance | Refusal =>
  readInstance(process.cwd()) ?? refuse('No local Hooklatch runs in this directory: start one with `npm start`.')

export const clockOf = ({ now }: Pick<Instance, 'now'>): Clock => {
  if (now === null) return systemClock
  const frozen = millis(Date.parse(now))
  return () => frozen
}
