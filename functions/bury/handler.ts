import type { SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { dynamodbClient } from '../adapters/clients.ts'
import { dynamodbEvents } from '../adapters/dynamodb-events.ts'
import { variable } from '../adapters/environment.ts'
import { writeLine } from '../adapters/system.ts'
import { awsConsumerWorld } from '../consume/aws-world.ts'
import { buryBatch } from './bury-batch.ts'

const dynamodb = dynamodbClient()
const world = { ...awsConsumerWorld(dynamodb), events: dynamodbEvents(dynamodb, variable('eventsTable')) }

export const handler = (event: SQSEvent): Promise<SQSBatchResponse> =>
  buryBatch(world, event, variable('environment'), writeLine)
