import { createHmac, randomUUID } from 'node:crypto'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import type { Context } from 'aws-lambda'
import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import { randomFence, systemPause } from '../../functions/adapters/system.ts'
import { consume } from '../../functions/consume/consume.ts'
import { millis } from '../../functions/domain/brands.ts'
import type { WebhookEvent } from '../../functions/domain/event.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { lambdaHandler } from '../../functions/receive/lambda.ts'
import { recover } from '../../functions/recover/recover.ts'
import type { Endpoints, Resources } from '../../lib/connect/instance.ts'
import { localClients } from '../../lib/connect/local-clients.ts'
import { httpApiEvent } from '../../lib/local/gateway-events.ts'
import { sqsEvent } from '../../lib/local/sqs-event.ts'
import { localSdk } from '../support/local-sdk.ts'
import { memoryRig } from '../support/memory-rig.ts'
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
  const { aws } = localClients(address.endpoints)
  const { dynamodb } = localSdk(address.endpoints)
  const { queueUrl } = address.resources
  const now = () => millis(Date.now() + address.ahead)
  const mortal = <Port extends object>(port: Port): Port => (killAt ? mortalPort(port, killAt) : port)
  const stores = storesOver(aws, address.resources, EVERY_STORE, now)
  const mortals = Object.fromEntries(Object.entries(stores).map(([name, port]) => [name, mortal(port)]))
  const world = {
    ...(mortals as typeof stores),
    environment: 'crash',
    sources: resolveSources({ stripe: { provider: 'stripe' }, github: { provider: 'github' } }),
    secrets: memoryRig({ now, secrets: SECRETS }).stores.secrets,
    // A walk over the listing is no point of no return.
    recovery: stores.recovery,
    now,
    newFence: randomFence,
    pause: systemPause,
    random: Math.random,
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
    world,
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
      const messages = await aws.queue.receiveMessages(queueUrl, { waitSeconds: 0 })
      const { batchItemFailures } = await consumer(sqsEvent(messages, 'arn'), { getRemainingTimeInMillis: () => 5_000 })
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier))
      const over = messages.filter(({ messageId }) => !failed.has(messageId)).map(({ receipt }) => receipt)
      if (over.length > 0) await aws.queue.deleteMessages(queueUrl, over)
      return messages.length > 0
    },

    async find(eventId: string) {
      const { records } = await stores.records.list({
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
