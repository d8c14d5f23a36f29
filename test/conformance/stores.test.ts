import { afterAll, beforeAll, describe } from 'vitest'
import { EVENTS_TABLE } from '../../functions/contract/tables.ts'
import { javaAvailable } from '../../lib/local/engines/dynamo-command.ts'
import { type DynamoEngine, startDynamo } from '../../lib/local/engines/start-dynamo.ts'
import { startMemoryDynamo } from '../../lib/local/engines/start-memory-dynamo.ts'
import { CLIENTS, freshTable } from '../support/engines.ts'
import { EFFECTS_TABLE, storeLaws } from './store-laws.ts'

const java = await javaAvailable()

describe.each([
  ['dynoxide', true],
  ['dynamodb-local', java],
  ['memory', true],
] as const)('the stores on the engine %s', (kind, available) => {
  describe.skipIf(!available)(available ? 'by' : 'by (skipped: no Java 17 on this machine)', () => {
    let engine: DynamoEngine
    beforeAll(async () => {
      engine = await (kind === 'memory' ? startMemoryDynamo('local') : startDynamo(kind))
    })
    afterAll(() => engine.stop())

    describe.each(Object.entries(CLIENTS))('the %s client', (_name, callsOf) =>
      storeLaws(async () => ({
        aws: callsOf({ dynamodb: engine.endpoint }),
        eventsTable: await freshTable(engine.endpoint, EVENTS_TABLE),
        effectsTable: await freshTable(engine.endpoint, EFFECTS_TABLE),
      })),
    )
  })
})
