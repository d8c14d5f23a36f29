import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { CreateQueueCommand } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe } from 'vitest'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { ReceivedMessage } from '../../functions/adapters/wire/queue-calls.ts'
import { BODIES_TABLE } from '../../functions/contract/tables.ts'
import { type Engines, startEngines } from '../../lib/local/engines/start-engines.ts'
import { HOOKLATCH_RESOURCES, MEMORY_NAMES } from '../../lib/memory-aws/hooklatch-resources.ts'
import { memoryAws } from '../../lib/memory-aws/memory-aws.ts'
import { CLIENTS, clientsFor, freshTable } from '../support/engines.ts'
import { NOON } from '../support/events.ts'
import { allStores } from '../support/stores.ts'
import { bodyStoreLaw } from './body-store.ts'
import { bodyErasureLaw } from './erasure-store.ts'
import { keptDeliveriesLaw } from './kept-deliveries.ts'
import { queueLaw } from './queue.ts'

const openQueue = (aws: AwsCalls, queueUrl: string) => {
  const received: ReceivedMessage[] = []
  return {
    queue: allStores(aws, { queueUrl }).queue,
    receive: async () => {
      if (received.length === 0) received.push(...(await aws.queue.receiveMessages(queueUrl, { waitSeconds: 5 })))
      const { receipt = '', body = '', attributes = {} } = received.shift() ?? {}
      await aws.queue.deleteMessages(queueUrl, [receipt])
      return { text: body, attributes }
    },
  }
}

describe('the queue on the memory AWS', () =>
  queueLaw(async () => openQueue(memoryAws({ ...HOOKLATCH_RESOURCES, now: () => NOON }).aws, MEMORY_NAMES.queueUrl)))

describe('on embedded engines', () => {
  let engines: Engines
  beforeAll(async () => {
    engines = await startEngines()
  })
  afterAll(() => engines.stop())

  describe.each(Object.entries(CLIENTS))('by the %s client', (client, callsOf) => {
    const stores = async () => {
      const bodiesBucket = `bodies-${client}`
      await clientsFor(engines.endpoints).s3.send(new CreateBucketCommand({ Bucket: bodiesBucket }))
      const bodiesTable = await freshTable(engines.endpoints.dynamodb, BODIES_TABLE)
      return allStores(callsOf(engines.endpoints), { bodiesTable, bodiesBucket })
    }
    describe('the bodies', () => bodyStoreLaw(async () => (await stores()).bodies, { conditionalObjects: false }))
    describe('erased bodies', () => bodyErasureLaw(stores))
    describe('the kept deliveries', () => keptDeliveriesLaw(async () => (await stores()).deliveries))
    describe('the queue', () =>
      queueLaw(async () => {
        await clientsFor(engines.endpoints).sqs.send(new CreateQueueCommand({ QueueName: `law-${client}` }))
        return openQueue(callsOf(engines.endpoints), `${engines.endpoints.sqs}/000000000000/law-${client}`)
      }))
  })
})
