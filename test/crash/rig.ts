import { createHmac, randomUUID } from 'node:crypto'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { DeleteMessageCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs'
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import type { Context, SQSEvent } from 'aws-lambda'
import { awsBodies } from '../../functions/adapters/aws-bodies.ts'
import { dynamodbEvents } from '../../functions/adapters/dynamodb-events.ts'
import { dynamodbRecovery } from '../../functions/adapters/dynamodb-recovery.ts'
import { dynamodbWork } from '../../functions/adapters/dynamodb-work.ts'
import { memorySecrets } from '../../functions/adapters/memory-secrets.ts'
import { sqsQueue } from '../../functions/adapters/sqs-queue.ts'
import { randomFence } from '../../functions/adapters/system.ts'
import { consume } from '../../functions/consume/consume.ts'
import { millis } from '../../functions/domain/brands.ts'
import type { WebhookEvent } from '../../functions/domain/event.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { lambdaHandler } from '../../functions/receive/lambda.ts'
import { recover } from '../../functions/recover/recover.ts'
import type { RecoverWorld } from '../../functions/recover/world.ts'
import type { Endpoints, Resources } from '../../lib/connect/instance.ts'
import { localClients } from '../../lib/connect/local-clients.ts'
import { httpApiEvent } from '../../lib/local/gateway-events.ts'
import { stripeHeader } from '../support/receive-rig.ts'

/** Where the engines are; what two processes of one test share. */
export interface Address {
  readonly endpoints: Endpoints
  readonly resources: Resources
  readonly effectsTable: string
  /** Milliseconds by which this process's clock is ahead. */
  readonly ahead: number
}

export type Sender = 'stripe' | 'github'

/** A port's method, before or after which a process dies: `after claim`, `before settle`, `after effect`. */
export type KillPoint = `${'before' | 'after'} ${string}`

const SECRETS = { stripe: ['whsec_crash_0123456789'], github: ['github-crash-0123456789'] }

/** The real functions on the real adapters, in whichever process. With a kill point, the process dies there by SIGKILL. */
export const crashRig = (address: Address, killAt?: KillPoint) => {
  const { dynamodb, sqs, s3 } = localClients(address.endpoints)
  const { eventsTable, bodiesTable, bodiesBucket, queueUrl } = address.resources
  const now = () => millis(Date.now() + address.ahead)
  const mortal = <Port extends object>(port: Port): Port => (killAt ? mortalPort(port, killAt) : port)
  const bodies = mortal(awsBodies({ dynamodb, table: bodiesTable, s3, bucket: bodiesBucket }))
  const work = mortal(dynamodbWork(dynamodb, eventsTable))
  const world: RecoverWorld = {
    environment: 'crash',
    sources: resolveSources({ stripe: { provider: 'stripe' }, github: { provider: 'github' } }),
    secrets: memorySecrets(SECRETS, 'crash-key'),
    events: mortal(dynamodbEvents(dynamodb, eventsTable)),
    bodies,
    queue: mortal(sqsQueue(sqs, { standard: queueUrl })),
    recovery: dynamodbRecovery(dynamodb, eventsTable),
    work,
    now,
    newFence: randomFence,
    leaseMillis: millis(15_000),
  }
  const receive = lambdaHandler(world, () => {})

  const effects = mortal({
    effect: async (event: WebhookEvent) => {
      try {
        const Item = { key: event.idempotencyKey, eventId: event.eventId }
        await dynamodb.send(
          new PutCommand({
            TableName: address.effectsTable,
            Item,
            ConditionExpression: 'attribute_not_exists(#key)',
            ExpressionAttributeNames: { '#key': 'key' },
          }),
        )
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error
      }
    },
  })
  const consumer = consume(event => effects.effect(event), {
    world: { work, bodies, now, newFence: randomFence },
    environment: 'crash',
    write: () => {},
  })

  return {
    world,

    async post(sender: Sender, eventId: string): Promise<number> {
      const { statusCode } = await receive(delivery(sender, eventId, now()), {} as Context)
      return statusCode
    },

    recover: () => recover(world),

    /** One round of the event source mapping; false when the queue had nothing. */
    async work(): Promise<boolean> {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: queueUrl,
          MaxNumberOfMessages: 10,
          MessageSystemAttributeNames: ['All'],
        }),
      )
      const event = {
        Records: Messages.map(({ MessageId, Body, Attributes }) => ({
          messageId: MessageId,
          body: Body,
          attributes: Attributes,
        })),
      } as unknown as SQSEvent
      const { batchItemFailures } = await consumer(event, { getRemainingTimeInMillis: () => 5_000 })
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
      for (const { MessageId, ReceiptHandle } of Messages) {
        if (!failed.has(MessageId ?? ''))
          await sqs.send(new DeleteMessageCommand({ QueueUrl: queueUrl, ReceiptHandle }))
      }
      return Messages.length > 0
    },

    async find(eventId: string) {
      const { records } = await dynamodbEvents(dynamodb, eventsTable).list({
        limit: 1_000,
        now: now(),
        from: millis(now() - 86_400_000),
      })
      return records.find(record => record.eventId === eventId)
    },

    async effectsOf(eventId: string): Promise<number> {
      const { Items = [] } = await dynamodb.send(
        new ScanCommand({ TableName: address.effectsTable, ConsistentRead: true }),
      )
      return Items.filter(item => item.eventId === eventId).length
    },
  }
}

const delivery = (sender: Sender, eventId: string, now: number) => {
  const body = JSON.stringify({ id: eventId, type: 'crash.test' })
  const headers: Record<Sender, [string, string][]> = {
    stripe: [['stripe-signature', stripeHeader(body, SECRETS.stripe[0] ?? '', now)]],
    github: [
      ['x-github-delivery', eventId],
      ['x-github-event', 'push'],
      [
        'x-hub-signature-256',
        `sha256=${createHmac('sha256', SECRETS.github[0] ?? '')
          .update(body)
          .digest('hex')}`,
      ],
    ],
  }
  return httpApiEvent({
    method: 'POST',
    path: `/webhooks/${sender}`,
    query: '',
    headers: [['host', 'hooks.example.com'], ['content-type', 'application/json'], ...headers[sender]],
    body: Buffer.from(body),
    source: sender,
    requestId: randomUUID(),
    sourceIp: '203.0.113.7',
    at: new Date(now),
  })
}

const mortalPort = <Port extends object>(port: Port, killAt: KillPoint): Port => {
  const [when, method] = killAt.split(' ')
  return Object.fromEntries(
    Object.entries(port).map(([name, call]) => [
      name,
      name !== method
        ? call
        : async (...parameters: unknown[]) => {
            if (when === 'before') return die()
            await call(...parameters)
            return die()
          },
    ]),
  ) as Port
}

const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
