import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe } from 'vitest'
import { dynamodbAnswers } from '../../functions/adapters/dynamodb-answers.ts'
import { dynamodbEvents } from '../../functions/adapters/dynamodb-events.ts'
import { dynamodbJobs } from '../../functions/adapters/dynamodb-jobs.ts'
import { dynamodbRecovery } from '../../functions/adapters/dynamodb-recovery.ts'
import { dynamodbReplay } from '../../functions/adapters/dynamodb-replay.ts'
import { dynamodbWork } from '../../functions/adapters/dynamodb-work.ts'
import { eventsOver } from '../../functions/adapters/event-claims.ts'
import { memoryAnswers } from '../../functions/adapters/memory-answers.ts'
import { memoryEvents } from '../../functions/adapters/memory-events.ts'
import { memoryJobs } from '../../functions/adapters/memory-jobs.ts'
import { memoryRecovery } from '../../functions/adapters/memory-recovery.ts'
import { memoryReplay } from '../../functions/adapters/memory-replay.ts'
import { memoryWork } from '../../functions/adapters/memory-work.ts'
import { EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { type DynamoEngine, javaAvailable, startDynamo } from '../../lib/local/engines/start-engines.ts'
import { clientsFor, freshTable, leanCalls } from '../support/engines.ts'
import { answerStoreLaw } from './answer-store.ts'
import { eventStoreLaw, listingLaw } from './event-store.ts'
import { type OpenRecovery, recoveryStoreLaw } from './recovery-store.ts'
import { type OpenReplay, replayStoreLaw } from './replay-store.ts'
import { type OpenWork, workStoreLaw } from './work-store.ts'

type Open = () => Promise<OpenWork & OpenRecovery & OpenReplay>

const laws = (open: Open): void => {
  const events = async () => (await open()).events
  eventStoreLaw(events)
  listingLaw(events)
  workStoreLaw(open)
  recoveryStoreLaw(open)
  replayStoreLaw(open)
}

describe('the answers in memory', () => answerStoreLaw(async () => memoryAnswers()))

describe('the store in memory', () =>
  laws(async () => {
    const events = memoryEvents()
    const work = memoryWork(events.records)
    return {
      events,
      work,
      recovery: memoryRecovery(events.records),
      replays: memoryReplay(events.records),
      jobs: memoryJobs(),
      effectsTable: 'effects',
      effect: async key => work.effects.find(item => item.key === key),
    }
  }))

const EFFECTS_TABLE = { partitionKey: { name: 'key', type: 'S' }, timeToLive: 'expiresAt' } as const

const onEngine = (kind: DynamoEngine['kind']): void => {
  let engine: DynamoEngine
  beforeAll(async () => {
    engine = await startDynamo(kind)
  })
  afterAll(() => engine.stop())

  describe('answers', () =>
    answerStoreLaw(async () => {
      const { dynamodb } = clientsFor({ dynamodb: engine.endpoint })
      return dynamodbAnswers(dynamodb, await freshTable(engine.endpoint, EVENTS_TABLE))
    }))

  laws(async () => {
    const { dynamodb } = clientsFor({ dynamodb: engine.endpoint })
    const table = await freshTable(engine.endpoint, EVENTS_TABLE)
    const effectsTable = await freshTable(engine.endpoint, EFFECTS_TABLE)
    return {
      events: dynamodbEvents(dynamodb, table),
      work: dynamodbWork(dynamodb, table),
      recovery: dynamodbRecovery(dynamodb, table),
      replays: dynamodbReplay(dynamodb, table),
      jobs: dynamodbJobs(dynamodb, table),
      effectsTable,
      effect: async key => (await dynamodb.send(new GetCommand({ TableName: effectsTable, Key: { key } }))).Item,
    }
  })
}

/** What a receiver needs of it, by the client that receivers have. */
const leanOnEngine = (kind: DynamoEngine['kind']): void => {
  let engine: DynamoEngine
  beforeAll(async () => {
    engine = await startDynamo(kind)
  })
  afterAll(() => engine.stop())

  eventStoreLaw(async () =>
    eventsOver(leanCalls({ dynamodb: engine.endpoint }).dynamo, await freshTable(engine.endpoint, EVENTS_TABLE)),
  )
}

describe('the store on dynoxide, by the lean client', () => leanOnEngine('dynoxide'))

describe('the store on dynoxide', () => onEngine('dynoxide'))

const java = await javaAvailable()
describe.skipIf(!java)(`the store on DynamoDB Local${java ? '' : ' (skipped: no Java 17 on this machine)'}`, () =>
  onEngine('dynamodb-local'),
)
describe.skipIf(!java)('the store on DynamoDB Local, by the lean client', () => leanOnEngine('dynamodb-local'))
