import { createHash } from 'node:crypto'
import { type Attributes, fromAttributes, toAttributes } from '../../functions/adapters/lean/attribute-values.ts'
import type { Incoming, Outgoing } from '../../functions/adapters/lean/exchange.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { Item, Transacted, Written } from '../../functions/adapters/wire/dynamo-calls.ts'
import type { BatchSent, QueueMessage } from '../../functions/adapters/wire/queue-calls.ts'
import { answerObject } from './answer-object.ts'

/** What AWS would answer to a signed request, made from what the calls at the wire answer. */
export const answerHttp = (aws: AwsCalls, request: Outgoing): Promise<Incoming> => {
  const target = request.headers['x-amz-target']
  if (target === undefined) return answerObject(aws, request)
  const operation = OPERATIONS[target.slice(target.indexOf('.') + 1)]
  if (!operation) throw new TypeError(`nobody answers ${target}`)
  return operation(aws, JSON.parse(String(request.body)))
}

/** As JSON brings it. */
// biome-ignore lint/suspicious/noExplicitAny: each operation knows its own input
type Input = any

type Operation = (aws: AwsCalls, input: Input) => Promise<Incoming>

export const json = (status: number, body: unknown): Incoming => ({
  status,
  headers: {},
  body: Buffer.from(JSON.stringify(body)),
})

const OPERATIONS: Readonly<Record<string, Operation>> = {
  PutItem: async ({ dynamo }, input) => written(await dynamo.putItem(plain(input))),
  UpdateItem: async ({ dynamo }, input) => written(await dynamo.updateItem(plain(input))),
  GetItem: async ({ dynamo }, input) => json(200, { Item: attributes(await dynamo.getItem(plain(input))) }),
  TransactWriteItems: async ({ dynamo }, { ClientRequestToken, TransactItems }) => {
    const items = TransactItems.map((item: Input) =>
      Object.fromEntries(Object.entries(item).map(([kind, write]) => [kind, plain(write)])),
    )
    return transacted(await dynamo.transactWriteItems({ ClientRequestToken, TransactItems: items }))
  },
  BatchGetItem: async ({ dynamo }, { RequestItems }) => {
    const [[TableName, { Keys, ConsistentRead }]] = Object.entries<Input>(RequestItems) as [[string, Input]]
    const { items, unprocessed } = await dynamo.batchGetItem({
      TableName,
      Keys: Keys.map(fromAttributes),
      ConsistentRead,
    })
    return json(200, {
      Responses: { [TableName]: items.map(toAttributes) },
      UnprocessedKeys: unprocessed.length > 0 ? { [TableName]: { Keys: unprocessed.map(toAttributes) } } : {},
    })
  },
  Query: async ({ dynamo }, input) => {
    const { items, lastKey } = await dynamo.query(plain(input))
    return json(200, { Items: items.map(toAttributes), LastEvaluatedKey: attributes(lastKey) })
  },
  SendMessage: async ({ queue }, message: QueueMessage) => {
    const sent = await queue.sendMessage(message)
    if (sent.kind === 'refused') throw sent.error
    return json(200, { MD5OfMessageBody: md5(message.MessageBody) })
  },
  SendMessageBatch: async ({ queue }, { QueueUrl, Entries }) =>
    receipts(await queue.sendMessageBatch(QueueUrl, Entries.map(withoutId)), Entries),
  ChangeMessageVisibility: async ({ queue }, { QueueUrl, ReceiptHandle, VisibilityTimeout }) => {
    const changed = await queue.changeVisibility(QueueUrl, ReceiptHandle, VisibilityTimeout)
    return changed === 'changed' ? json(200, {}) : fault('ReceiptHandleIsInvalid')
  },
  GetSecretValue: async ({ secrets }, { SecretId }) => {
    const { text, version, createdAt } = (await secrets.getSecret(SecretId)) ?? {}
    return json(200, { SecretString: text, VersionId: version, CreatedDate: (createdAt ?? 0) / 1000 })
  },
}

export const fault = (name: string, more: object = {}): Incoming =>
  json(400, { __type: `com.amazonaws#${name}`, message: 'simulated', ...more })

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

const attributes = (item: Item | undefined): Attributes | undefined => item && toAttributes(item)

const HOLD_VALUES = ['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey'] as const

const plain = (input: Input): Input => {
  const said = { ...input }
  for (const name of HOLD_VALUES) if (said[name] !== undefined) said[name] = fromAttributes(said[name])
  return said
}

const written = (answer: Written): Incoming =>
  answer.kind === 'written'
    ? json(200, { Attributes: attributes(answer.item) })
    : fault('ConditionalCheckFailedException', { Item: attributes(answer.item) })

const transacted = (answer: Transacted): Incoming => {
  if (answer.kind === 'written') return json(200, {})
  const CancellationReasons = answer.reasons.map(({ code, item }) => ({ Code: code, Item: attributes(item) }))
  return fault('TransactionCanceledException', { CancellationReasons })
}

const withoutId = ({ Id, ...entry }: Input): Input => entry

/** What it has no word for is in neither list. */
const receipts = (answer: BatchSent, entries: readonly Input[]): Incoming => {
  if (answer.kind === 'refused') throw answer.error
  const { failed } = answer
  return json(200, {
    Successful: entries.flatMap(({ Id, MessageBody }, place) =>
      failed.has(place) ? [] : [{ Id, MD5OfMessageBody: md5(MessageBody) }],
    ),
    Failed: entries.flatMap(({ Id }, place) => {
      const failure = failed.get(place)
      if (!failure || failure.cause === NOT_NAMED) return []
      return [{ Id, Code: failure.cause, SenderFault: failure.certain }]
    }),
  })
}

/** The cause of an entry that the answer to its batch has no word for. */
export const NOT_NAMED = 'the answer does not name it'
