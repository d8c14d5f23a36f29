import { awsBodies } from '../adapters/aws-bodies.ts'
import { dynamodbClient, s3Client } from '../adapters/clients.ts'
import { dynamodbWork } from '../adapters/dynamodb-work.ts'
import { variable } from '../adapters/environment.ts'
import { randomFence, systemClock } from '../adapters/system.ts'
import type { ConsumerWorld } from './world.ts'

/** The world as the stack made it, from the variables it set. */
export const awsConsumerWorld = (dynamodb = dynamodbClient()): ConsumerWorld => ({
  work: dynamodbWork(dynamodb, variable('eventsTable')),
  bodies: awsBodies({ dynamodb, table: variable('bodiesTable'), s3: s3Client(), bucket: variable('bodiesBucket') }),
  now: systemClock,
  newFence: randomFence,
})
