import { readFileSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { GetObjectCommand } from '@aws-sdk/client-s3'
import { GetSecretValueCommand, PutSecretValueCommand } from '@aws-sdk/client-secrets-manager'
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
} from '@aws-sdk/client-sqs'
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { dynamodbClient, s3Client, secretsClient, sqsClient } from '../../functions/adapters/sdk/clients.ts'
import { writeSecrets } from '../../lib/connect/file-secrets.ts'
import { hooklatchWith } from '../support/local-rig.ts'
import type { Deployment } from './deployment.ts'

/** A record as it lies in the table. */
export type Item = Readonly<Record<string, unknown>> & {
  readonly fingerprint: string
  readonly status: string
  readonly bodySha256: string
  readonly bodyAt?: string
}

/** What somebody with credentials can see and do, by plain SDK calls: tables, queues, bodies, secrets. */
export const operatorOf = (deployment: Deployment) => {
  const { region, credentials, endpoints } = deployment
  const at = (service: keyof NonNullable<typeof endpoints>) => ({
    region,
    ...(credentials && { credentials }),
    ...(endpoints && { endpoint: endpoints[service] }),
  })
  const dynamodb = dynamodbClient(at('dynamodb'))
  const sqs = sqsClient(at('sqs'))
  const s3 = s3Client(at('s3'))
  const secrets = secretsClient(at('secrets'))

  const item = async (table: string, key: Record<string, string>) =>
    (await dynamodb.send(new GetCommand({ TableName: table, Key: key, ConsistentRead: true }))).Item

  const object = async (key: string): Promise<Kept> => {
    const { Body, Metadata } = await s3.send(new GetObjectCommand({ Bucket: deployment.bodiesBucket, Key: key }))
    return {
      bytes: (await Body?.transformToByteArray()) ?? new Uint8Array(),
      compressed: Metadata?.compressed === 'true',
    }
  }

  const secret = async (id: string): Promise<string> =>
    (await secrets.send(new GetSecretValueCommand({ SecretId: id }))).SecretString ?? '{}'

  return {
    secret,

    record: async (id: string): Promise<Item | undefined> =>
      (await item(deployment.eventsTable, { fingerprint: id })) as Item | undefined,

    /** The bytes after the line that holds their headers, as they lie in the table or the bucket. */
    body: async ({ fingerprint, bodySha256, bodyAt = '' }: Item): Promise<Buffer> => {
      const { bytes, compressed } =
        bodyAt === 'dynamodb'
          ? ((await item(deployment.bodiesTable, { fingerprint, sha256: bodySha256 })) as Kept)
          : await object(objectKey(bodyAt, fingerprint, bodySha256))
      const framed = Buffer.from(compressed ? zstdDecompressSync(bytes) : bytes)
      return framed.subarray(framed.indexOf('\n') + 1)
    },

    /** As a process that died would have left it. */
    amend: async (id: string, attributes: Readonly<Record<string, unknown>>): Promise<void> => {
      const names = Object.keys(attributes)
      await dynamodb.send(
        new UpdateCommand({
          TableName: deployment.eventsTable,
          Key: { fingerprint: id },
          UpdateExpression: `SET ${names.map(name => `#${name} = :${name}`).join(', ')}`,
          ExpressionAttributeNames: Object.fromEntries(names.map(name => [`#${name}`, name])),
          ExpressionAttributeValues: Object.fromEntries(names.map(name => [`:${name}`, attributes[name]])),
        }),
      )
    },

    /** Waiting and being handled. */
    messagesIn: async (queueUrl: string): Promise<number> => {
      const counts = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const
      const { Attributes = {} } = await sqs.send(
        new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: [...counts] }),
      )
      return counts.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0)
    },

    /** Answers its URL. */
    makeQueue: async (QueueName: string): Promise<string> =>
      (await sqs.send(new CreateQueueCommand({ QueueName }))).QueueUrl ?? '',

    sendTo: async (QueueUrl: string, MessageBody: string): Promise<void> => {
      await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }))
    },

    /** What a reader of the queue gets and deletes, ten at most. */
    takeFrom: async (QueueUrl: string): Promise<readonly string[]> => {
      const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }))
      for (const { ReceiptHandle } of Messages) await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }))
      return Messages.map(({ Body = '' }) => Body)
    },

    comesBackAfter: async (queueUrl: string, seconds: number): Promise<void> => {
      const Attributes = { VisibilityTimeout: String(seconds) }
      await sqs.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes }))
    },

    /** One command line, to its end. */
    hooklatch: (...args: string[]) => {
      const { env, directory, flags } = deployment.cli
      return hooklatchWith(env, directory, ...args, ...flags)
    },

    /** Those of other sources stay as they are. */
    setSecrets: async (changed: Readonly<Record<string, readonly string[]>>): Promise<void> => {
      const { secrets: place } = deployment
      if ('file' in place) {
        writeSecrets(place.file, { ...JSON.parse(readFileSync(place.file, 'utf8')), ...changed })
        return
      }
      const all = { ...JSON.parse(await secret(place.id)), ...changed }
      await secrets.send(new PutSecretValueCommand({ SecretId: place.id, SecretString: JSON.stringify(all) }))
    },
  }
}

interface Kept {
  readonly bytes: Uint8Array
  readonly compressed: boolean
}

/** `s3:7d:2026-11-16` is the object `7d/<fingerprint>/<hash>/2026-11-16`. */
const objectKey = (bodyAt: string, fingerprint: string, sha256: string): string => {
  const [, days, day] = bodyAt.split(':')
  return `${days}/${fingerprint}/${sha256}/${day}`
}
