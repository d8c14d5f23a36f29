import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import type { EventStore } from '../domain/ports.ts'
import { dynamodbListing } from './dynamodb-listing.ts'
import { eventsOver } from './event-claims.ts'
import { sdkDynamo } from './sdk/dynamo.ts'

/** The events with the SDK, which can also list them. */
export const dynamodbEvents = (client: DynamoDBDocumentClient, table: string): EventStore => ({
  ...eventsOver(sdkDynamo(client), table),
  list: dynamodbListing(client, table),
})
