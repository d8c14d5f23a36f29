import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { dynamodbClient } from '../adapters/clients.ts'
import { dynamodbAnswers } from '../adapters/dynamodb-answers.ts'
import type { AnswerStore } from '../domain/answers.ts'

export interface AnswerStoreProps {
  /** The receiver's events table, or one of your own: partition key `fingerprint` (string), TTL attribute `expiresAt`. */
  readonly table: string
  /** @default - a client of its own, for the region and role it runs in */
  readonly dynamodb?: DynamoDBDocumentClient
}

export const createAnswerStore = ({ table, dynamodb = dynamodbClient() }: AnswerStoreProps): AnswerStore =>
  dynamodbAnswers(dynamodb, table)
