import { CreateBucketCommand } from '@aws-sdk/client-s3'
import { CreateQueueCommand, DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { afterAll, beforeAll, describe } from 'vitest'
import { bodiesOver } from '../../functions/adapters/body-places.ts'
import { dynamodbShelf } from '../../functions/adapters/dynamodb-shelf.ts'
import { memoryBodies } from '../../functions/adapters/memory-bodies.ts'
import { memoryQueue } from '../../functions/adapters/memory-queue.ts'
import { memoryShelf } from '../../functions/adapters/memory-shelf.ts'
import { queueOver } from '../../functions/adapters/message-queue.ts'
import { BODIES_TABLE } from '../../functions/contract/tables.ts'
import { type Engines, startEngines } from '../../lib/local/engines/start-engines.ts'
import { CLIENTS, clientsFor, freshTable } from '../support/engines.ts'
import { bodyStoreLaw } from './body-store.ts'
import { deliveryShelfLaw } from './delivery-shelf.ts'
import { queueLaw } from './queue.ts'

describe('the body store in memory', () => bodyStoreLaw(async () => memoryBodies()))

describe('the shelf in memory', () => deliveryShelfLaw(async () => memoryShelf()))

describe('the queue in memory', () =>
  queueLaw(async () => {
    const queue = memoryQueue()
    return {
      queue,
      receive: async () => {
        const { text, attributes } = queue.sent.shift() ?? { text: '', attributes: {} }
        return { text, attributes }
      },
    }
  }))

describe('on embedded engines', () => {
  let engines: Engines
  beforeAll(async () => {
    engines = await startEngines()
  })
  afterAll(() => engines.stop())

  describe.each(Object.entries(CLIENTS))('the body store by the %s client', (client, callsOf) =>
    bodyStoreLaw(
      async () => {
        const bucket = `bodies-${client}`
        await clientsFor(engines.endpoints).s3.send(new CreateBucketCommand({ Bucket: bucket }))
        const table = await freshTable(engines.endpoints.dynamodb, BODIES_TABLE)
        return bodiesOver(callsOf(engines.endpoints), { table, bucket })
      },
      { conditionalObjects: false },
    ),
  )

  describe('the shelf', () =>
    deliveryShelfLaw(async () =>
      dynamodbShelf(clientsFor(engines.endpoints).dynamodb, await freshTable(engines.endpoints.dynamodb, BODIES_TABLE)),
    ))

  describe.each(Object.entries(CLIENTS))('the queue by the %s client', (client, callsOf) =>
    queueLaw(async () => {
      const { sqs } = clientsFor(engines.endpoints)
      await sqs.send(new CreateQueueCommand({ QueueName: `law-${client}` }))
      const QueueUrl = `${engines.endpoints.sqs}/000000000000/law-${client}`
      return {
        queue: queueOver(callsOf(engines.endpoints).queue, { standard: QueueUrl }),
        receive: async () => {
          const { Messages } = await sqs.send(
            new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5, MessageAttributeNames: ['All'] }),
          )
          const [message] = Messages ?? []
          await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message?.ReceiptHandle }))
          const attributes = Object.entries(message?.MessageAttributes ?? {}).map(([name, value]) => [
            name,
            value.StringValue ?? '',
          ])
          return { text: message?.Body ?? '', attributes: Object.fromEntries(attributes) }
        },
      }
    }),
  )
})
