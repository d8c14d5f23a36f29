import type { S3Client } from '@aws-sdk/client-s3'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { dynamodbAnswers } from '../adapters/dynamodb-answers.ts'
import { keptBodies } from '../adapters/s3-and-dynamodb-bodies.ts'
import { dynamodbClient } from '../adapters/sdk/clients.ts'
import { sdkDynamo } from '../adapters/sdk/dynamo.ts'
import { sdkObjects } from '../adapters/sdk/objects.ts'
import { storesOver } from '../adapters/stores.ts'
import { systemClock } from '../adapters/system.ts'
import type { AnswerStore } from '../domain/answers.ts'
import type { BodyStore } from '../domain/ports.ts'

export interface AnswerStoreProps {
  /** The receiver's events table, or one of your own: partition key `fingerprint` (string), TTL attribute `expiresAt`. */
  readonly table: string
  /** @default - a client of its own, for the region and role it runs in */
  readonly dynamodb?: DynamoDBDocumentClient
}

export const createAnswerStore = ({ table, dynamodb = dynamodbClient() }: AnswerStoreProps): AnswerStore =>
  storesOver({ dynamo: sdkDynamo(dynamodb) }, { eventsTable: table }, { answers: dynamodbAnswers }, systemClock).answers

export interface AnswerBodiesProps {
  readonly dynamodb: DynamoDBDocumentClient
  readonly table: string
  readonly s3: S3Client
  readonly bucket: string
}

/** Where answers over 4 KB are kept: a receiver's table and bucket of bodies, or your own. */
export const awsBodies = ({ dynamodb, table, s3, bucket }: AnswerBodiesProps): BodyStore => {
  const aws = { dynamo: sdkDynamo(dynamodb), objects: sdkObjects(s3) }
  return storesOver(aws, { bodiesTable: table, bodiesBucket: bucket }, { bodies: keptBodies }, systemClock).bodies
}
