import { CreateTableCommand, DynamoDBClient, ListBackupsCommand, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startMemoryDynamo } from '../../../lib/local/engines/start-memory-dynamo.ts'

let engine: Awaited<ReturnType<typeof startMemoryDynamo>>
let client: DynamoDBClient
let documents: DynamoDBDocumentClient
let TableName = ''

const clientWith = (accessKeyId: string): DynamoDBClient =>
  new DynamoDBClient({
    endpoint: engine.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey: 'any' },
    maxAttempts: 1,
  })

beforeAll(async () => {
  engine = await startMemoryDynamo('the-key-of-this-run')
  client = clientWith('the-key-of-this-run')
  documents = DynamoDBDocumentClient.from(client)
})
afterAll(() => engine.stop())

let tables = 0
beforeEach(async () => {
  TableName = `entries-${++tables}`
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: [
        { AttributeName: 'account', KeyType: 'HASH' },
        { AttributeName: 'at', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'account', AttributeType: 'S' },
        { AttributeName: 'at', AttributeType: 'N' },
        { AttributeName: 'kind', AttributeType: 'S' },
      ],
      GlobalSecondaryIndexes: [
        {
          IndexName: 'by-kind',
          KeySchema: [{ AttributeName: 'kind', KeyType: 'HASH' }],
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['tags'] },
        },
      ],
    }),
  )
})

const entry = (at: number, rest = {}) => ({ account: 'a', at, kind: 'paid', ...rest })

it('the DynamoDB in memory gives back what an SDK stored: text, numbers, sets, bytes, lists and maps', async () => {
  const item = entry(1, {
    tags: new Set(['x', 'y']),
    numbers: new Set([1, 2.5]),
    bytes: new Uint8Array([0, 255]),
    deep: { list: [null, true, { a: 1 }] },
  })
  await documents.send(new PutCommand({ TableName, Item: item }))
  const { Items } = await documents.send(new ScanCommand({ TableName }))
  expect(Items).toEqual([item])
})

it('the DynamoDB in memory pages a query in order, and finds items by an index', async () => {
  const requests = [3, 1, 2].map(at => ({ PutRequest: { Item: entry(at) } }))
  await documents.send(new BatchWriteCommand({ RequestItems: { [TableName]: requests } }))
  const asked = {
    TableName,
    KeyConditionExpression: 'account = :a',
    ExpressionAttributeValues: { ':a': 'a' },
    Limit: 2,
  }
  const first = await documents.send(new QueryCommand(asked))
  const second = await documents.send(new QueryCommand({ ...asked, ExclusiveStartKey: first.LastEvaluatedKey }))
  expect([...(first.Items ?? []), ...(second.Items ?? [])].map(({ at }) => at)).toEqual([1, 2, 3])
  const byKind = { KeyConditionExpression: 'kind = :k', ExpressionAttributeValues: { ':k': 'paid' } }
  expect((await documents.send(new QueryCommand({ TableName, IndexName: 'by-kind', ...byKind }))).Count).toBe(3)
  const Keys = [1, 9].map(at => ({ account: 'a', at }))
  const { Responses } = await documents.send(new BatchGetCommand({ RequestItems: { [TableName]: { Keys } } }))
  expect(Responses?.[TableName]).toEqual([entry(1)])
})

it('the DynamoDB in memory deletes an item if the condition holds, and tells the item if it does not', async () => {
  await documents.send(new PutCommand({ TableName, Item: entry(1) }))
  const Key = { account: 'a', at: 1 }
  const unless = { ConditionExpression: 'kind = :k', ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const
  const refused = documents.send(
    new DeleteCommand({ TableName, Key, ...unless, ExpressionAttributeValues: { ':k': 'x' } }),
  )
  await expect(refused).rejects.toMatchObject({
    name: 'ConditionalCheckFailedException',
    Item: { kind: { S: 'paid' } },
  })
  const deleted = await documents.send(new DeleteCommand({ TableName, Key, ReturnValues: 'ALL_OLD' }))
  expect(deleted.Attributes).toEqual(entry(1))
  const filter = { FilterExpression: 'kind = :k', ExpressionAttributeValues: { ':k': 'paid' } }
  expect((await documents.send(new ScanCommand({ TableName, ...filter }))).Count).toBe(0)
})

it('the DynamoDB in memory says for each write of a cancelled transaction whether it stood in the way', async () => {
  const writes = [
    { Put: { TableName, Item: entry(1) } },
    { Put: { TableName, Item: entry(2), ConditionExpression: 'attribute_exists(account)' } },
  ]
  await expect(documents.send(new TransactWriteCommand({ TransactItems: writes }))).rejects.toMatchObject({
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'ConditionalCheckFailed' }],
  })
  expect((await documents.send(new ScanCommand({ TableName }))).Count).toBe(0)
})

it('the DynamoDB in memory refuses what it does not have by name, instead of answering wrongly', async () => {
  const query = {
    TableName,
    KeyConditionExpression: 'account = :a',
    FilterExpression: 'attribute_exists(at)',
    ExpressionAttributeValues: { ':a': 'a' },
  }
  await expect(documents.send(new QueryCommand(query))).rejects.toMatchObject({
    name: 'ValidationException',
    message: expect.stringContaining('has no FilterExpression in Query'),
  })
  await expect(client.send(new ListBackupsCommand({}))).rejects.toThrow('has no ListBackups')
  const update = { TableName, Key: { account: 'a', at: 1 }, UpdateExpression: 'SET n = :n' }
  const large = new UpdateCommand({ ...update, ExpressionAttributeValues: { ':n': 2n ** 60n } })
  await expect(documents.send(large)).rejects.toMatchObject({ name: 'ValidationException' })
  const some = new UpdateCommand({ ...update, ExpressionAttributeValues: { ':n': 1 }, ReturnValues: 'UPDATED_NEW' })
  await expect(documents.send(some)).rejects.toThrow('returns ALL_NEW or NONE here, and not UPDATED_NEW')
})

it('the DynamoDB in memory answers nobody who does not show the access key of the run', async () => {
  await expect(clientWith('somebody').send(new ListTablesCommand({}))).rejects.toMatchObject({
    $metadata: { httpStatusCode: 403 },
  })
})
