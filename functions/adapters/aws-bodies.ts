import type { S3Client } from '@aws-sdk/client-s3'
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { BodyStore } from '../domain/ports.ts'
import { type BodyPlaces, bodiesOver } from './body-places.ts'
import { sdkDynamo } from './sdk/dynamo.ts'
import { sdkObjects } from './sdk/objects.ts'

export interface SdkBodyPlaces extends BodyPlaces {
  readonly dynamodb: DynamoDBDocumentClient
  readonly s3: S3Client
}

/** The bodies with the SDK. */
export const awsBodies = ({ dynamodb, s3, ...places }: SdkBodyPlaces): BodyStore =>
  bodiesOver({ dynamo: sdkDynamo(dynamodb), objects: sdkObjects(s3) }, places)
