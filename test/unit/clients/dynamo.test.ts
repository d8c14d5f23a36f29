import { afterAll, describe, expect, it } from 'vitest'
import { scriptedAws } from '../../support/scripted-aws.ts'

const server = await scriptedAws()
afterAll(server.stop)

const PUT = {
  TableName: 'events',
  Item: { fingerprint: 'f', attempts: 1, bodySigned: true, bytes: Uint8Array.of(1, 2), job: { tags: ['a', null] } },
  ConditionExpression: '#status = :status',
  ExpressionAttributeNames: { '#status': 'status' },
  ExpressionAttributeValues: { ':status': 'claimed' },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
} as const
const UPDATE = {
  TableName: 'events',
  Key: { fingerprint: 'f' },
  UpdateExpression: 'SET attempts = :attempts',
  ExpressionAttributeValues: { ':attempts': 2 },
  ReturnValues: 'ALL_NEW',
} as const
const TRANSACTION = {
  ClientRequestToken: 'token-1',
  TransactItems: [
    { Put: { TableName: 'events', Item: { fingerprint: 'f' } } },
    { Update: { ...UPDATE, ReturnValues: undefined } },
    { Delete: { TableName: 'events', Key: { fingerprint: 'g' } } },
    {
      ConditionCheck: {
        TableName: 'events',
        Key: { fingerprint: 'h' },
        ConditionExpression: 'attempts = :one',
        ExpressionAttributeValues: { ':one': 1 },
      },
    },
  ],
}
const QUERY = {
  TableName: 'events',
  IndexName: 'listing',
  KeyConditionExpression: 'listing = :partition',
  ExpressionAttributeValues: { ':partition': 'p' },
  ScanIndexForward: false,
  Limit: 2,
  ExclusiveStartKey: { fingerprint: 'e' },
}

describe.each(server.clients)('$name client', ({ name, aws: { dynamo } }) => {
  const target = (operation: string) => `DynamoDB_20120810.${operation}`

  it(`a put is sent by the ${name} client as DynamoDB's JSON, and its answer is the item that was there`, async () => {
    server.script({ body: { Attributes: { fingerprint: { S: 'old' }, attempts: { N: '3' } } } })
    const written = await dynamo.putItem({ ...PUT, ReturnValues: 'ALL_OLD' })
    expect(written).toEqual({ kind: 'written', item: { fingerprint: 'old', attempts: 3 } })
    expect(server.asked.map(({ operation }) => operation)).toEqual([target('PutItem')])
    expect(server.lastInput()).toEqual({
      TableName: 'events',
      Item: {
        fingerprint: { S: 'f' },
        attempts: { N: '1' },
        bodySigned: { BOOL: true },
        bytes: { B: 'AQI=' },
        job: { M: { tags: { L: [{ S: 'a' }, { NULL: true }] } } },
      },
      ConditionExpression: '#status = :status',
      ExpressionAttributeNames: { '#status': 'status' },
      ExpressionAttributeValues: { ':status': { S: 'claimed' } },
      ReturnValues: 'ALL_OLD',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
  })

  it(`an update is sent by the ${name} client as DynamoDB's JSON, and its answer is the new item`, async () => {
    server.script({ body: { Attributes: { attempts: { N: '2' } } } })
    expect(await dynamo.updateItem(UPDATE)).toEqual({ kind: 'written', item: { attempts: 2 } })
    expect(server.asked[0]?.operation).toBe(target('UpdateItem'))
    expect(server.lastInput()).toEqual({
      TableName: 'events',
      Key: { fingerprint: { S: 'f' } },
      UpdateExpression: 'SET attempts = :attempts',
      ExpressionAttributeValues: { ':attempts': { N: '2' } },
      ReturnValues: 'ALL_NEW',
    })
  })

  it.each([
    ['with the item that stood in the way', { Item: { fingerprint: { S: 'other' } } }, { fingerprint: 'other' }],
    ['without an item if DynamoDB told none', {}, undefined],
  ])(`a condition that does not hold is an answer of the ${name} client, %s`, async (_name, body, item) => {
    server.script({ fault: 'ConditionalCheckFailedException', body })
    expect(await dynamo.putItem(PUT)).toEqual({ kind: 'condition-failed', item })
    expect(await dynamo.updateItem(UPDATE)).toEqual({ kind: 'condition-failed', item })
    expect(server.asked).toHaveLength(2)
  })

  it(`a read by the ${name} client brings the item, or nothing if there is none`, async () => {
    server.script({ body: { Item: { fingerprint: { S: 'f' } } } }, { body: {} })
    const get = { TableName: 'events', Key: { fingerprint: 'f' }, ConsistentRead: true }
    expect(await dynamo.getItem(get)).toEqual({ fingerprint: 'f' })
    expect(await dynamo.getItem(get)).toBeUndefined()
    expect(server.lastInput()).toEqual({ ...get, Key: { fingerprint: { S: 'f' } } })
  })

  it(`a transaction is sent by the ${name} client with its token and all kinds of writes`, async () => {
    server.script({ body: {} })
    expect(await dynamo.transactWriteItems(TRANSACTION)).toEqual({ kind: 'written' })
    expect(server.asked[0]?.operation).toBe(target('TransactWriteItems'))
    expect(server.lastInput()).toEqual({
      ClientRequestToken: 'token-1',
      TransactItems: [
        { Put: { TableName: 'events', Item: { fingerprint: { S: 'f' } } } },
        {
          Update: {
            TableName: 'events',
            Key: { fingerprint: { S: 'f' } },
            UpdateExpression: 'SET attempts = :attempts',
            ExpressionAttributeValues: { ':attempts': { N: '2' } },
          },
        },
        { Delete: { TableName: 'events', Key: { fingerprint: { S: 'g' } } } },
        {
          ConditionCheck: {
            TableName: 'events',
            Key: { fingerprint: { S: 'h' } },
            ConditionExpression: 'attempts = :one',
            ExpressionAttributeValues: { ':one': { N: '1' } },
          },
        },
      ],
    })
  })

  it(`a transaction that was cancelled is an answer of the ${name} client, with the reason of each write`, async () => {
    const CancellationReasons = [
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Message: 'no', Item: { fingerprint: { S: 'x' } } },
      { Code: 'TransactionConflict' },
    ]
    server.script({ fault: 'TransactionCanceledException', body: { CancellationReasons } })
    expect(await dynamo.transactWriteItems(TRANSACTION)).toEqual({
      kind: 'cancelled',
      reasons: [
        { code: 'None', item: undefined },
        { code: 'ConditionalCheckFailed', item: { fingerprint: 'x' } },
        { code: 'TransactionConflict', item: undefined },
      ],
      error: expect.objectContaining({ name: 'TransactionCanceledException' }),
    })
  })

  it(`a batch of reads by the ${name} client brings what was found and the keys that were not asked for yet`, async () => {
    server.script({
      body: {
        Responses: { events: [{ fingerprint: { S: 'a' } }] },
        UnprocessedKeys: { events: { Keys: [{ fingerprint: { S: 'b' } }], ConsistentRead: true } },
      },
    })
    const Keys = [{ fingerprint: 'a' }, { fingerprint: 'b' }, { fingerprint: 'c' }]
    expect(await dynamo.batchGetItem({ TableName: 'events', Keys, ConsistentRead: true })).toEqual({
      items: [{ fingerprint: 'a' }],
      unprocessed: [{ fingerprint: 'b' }],
    })
    expect(server.asked[0]?.operation).toBe(target('BatchGetItem'))
    expect(server.lastInput()).toEqual({
      RequestItems: {
        events: {
          Keys: [{ fingerprint: { S: 'a' } }, { fingerprint: { S: 'b' } }, { fingerprint: { S: 'c' } }],
          ConsistentRead: true,
        },
      },
    })
  })

  it(`a batch of reads by the ${name} client that finds nothing brings two empty lists`, async () => {
    server.script({ body: { Responses: {}, UnprocessedKeys: {} } })
    const nothing = { items: [], unprocessed: [] }
    expect(await dynamo.batchGetItem({ TableName: 'events', Keys: [{ fingerprint: 'a' }] })).toEqual(nothing)
  })

  it(`a query by the ${name} client brings one page, and where the next one starts`, async () => {
    const LastEvaluatedKey = { fingerprint: { S: 'b' }, claimedAt: { S: 't' } }
    server.script({ body: { Items: [{ fingerprint: { S: 'b' } }], Count: 1, LastEvaluatedKey } })
    expect(await dynamo.query(QUERY)).toEqual({
      items: [{ fingerprint: 'b' }],
      lastKey: { fingerprint: 'b', claimedAt: 't' },
    })
    expect(server.asked[0]?.operation).toBe(target('Query'))
    expect(server.lastInput()).toEqual({
      ...QUERY,
      ExpressionAttributeValues: { ':partition': { S: 'p' } },
      ExclusiveStartKey: { fingerprint: { S: 'e' } },
    })
  })

  it(`a query by the ${name} client that starts anew and ends has no key on either side`, async () => {
    server.script({ body: { Items: [], Count: 0 } })
    expect(await dynamo.query({ ...QUERY, ExclusiveStartKey: undefined })).toEqual({ items: [], lastKey: undefined })
    expect(server.lastInput()).not.toHaveProperty('ExclusiveStartKey')
  })

  it.each([
    ['putItem', () => dynamo.putItem(PUT)],
    ['updateItem', () => dynamo.updateItem(UPDATE)],
    ['getItem', () => dynamo.getItem({ TableName: 'events', Key: { fingerprint: 'f' } })],
    ['transactWriteItems', () => dynamo.transactWriteItems(TRANSACTION)],
    ['batchGetItem', () => dynamo.batchGetItem({ TableName: 'events', Keys: [{ fingerprint: 'f' }] })],
    ['query', () => dynamo.query(QUERY)],
  ])(`any other fault of %s is thrown by the ${name} client under its own name, after one attempt`, async (_, call) => {
    server.script({ fault: 'ValidationException' })
    await expect(call()).rejects.toMatchObject({ name: 'ValidationException', message: 'no' })
    expect(server.asked).toHaveLength(1)
  })
})
