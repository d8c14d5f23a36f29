import { afterAll, beforeAll, describe } from 'vitest'
import { dynamodbEvents } from '../../functions/adapters/dynamodb-events.ts'
import { memoryEvents } from '../../functions/adapters/memory-events.ts'
import { EVENTS_TABLE } from '../../functions/contract/tables.ts'
import type { EventStore } from '../../functions/domain/ports.ts'
import { type DynamoEngine, javaAvailable, startDynamo } from '../../lib/local/engines/start-engines.ts'
import { clientsFor, freshTable } from '../support/engines.ts'
import { eventStoreLaw, listingLaw } from './event-store.ts'

describe('the events store in memory', () => {
  const open = async (): Promise<EventStore> => memoryEvents()
  eventStoreLaw(open)
  listingLaw(open)
})

const onEngine = (kind: DynamoEngine['kind']): void => {
  let engine: DynamoEngine
  beforeAll(async () => {
    engine = await startDynamo(kind)
  })
  afterAll(() => engine.stop())

  const open = async (): Promise<EventStore> =>
    dynamodbEvents(clientsFor({ dynamodb: engine.endpoint }).dynamodb, await freshTable(engine.endpoint, EVENTS_TABLE))
  eventStoreLaw(open)
  listingLaw(open)
}

describe('the events store on dynoxide', () => onEngine('dynoxide'))

const java = await javaAvailable()
describe.skipIf(!java)(
  `the events store on DynamoDB Local${java ? '' : ' (skipped: no Java 17 on this machine)'}`,
  () => onEngine('dynamodb-local'),
)
