import type { SQSEvent, SQSRecord } from 'aws-lambda'
import { bury } from '../../functions/bury/bury.ts'
import { consume } from '../../functions/consume/consume.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import { SEVERAL_NAME } from '../../functions/contract/queues.ts'
import type { Destinations } from '../../functions/domain/destinations.ts'
import type { Sources } from '../../functions/domain/source.ts'
import type { Consuming } from '../../functions/domain/world.ts'
import { type Recovering, recover, type Tally } from '../../functions/recover/recover.ts'
import { type ReceiveRig, receiveRig } from './receive-rig.ts'

export interface WholeRig extends ReceiveRig {
  readonly consumer: Consuming
  readonly recoverer: Recovering
  /** Hands texts to a consumer as SQS would, and returns the message ids it failed. */
  deliver(handler: Handler, texts: readonly string[], options?: DeliverOptions): Promise<string[]>
  /** The texts on the queue. */
  texts(): string[]
  bury(text: string): ReturnType<typeof bury>
  recover(): Promise<Tally>
}

export interface DeliverOptions {
  readonly receiveCount?: number
  readonly group?: string
  readonly remaining?: number
  readonly world?: Consuming
  readonly tries?: number
  readonly sentAt?: number
  readonly write?: (line: string) => void
  /** Whose consumer it is. @default that of whom the first message is for */
  readonly destination?: string
}

/** Receiver, consumer, burial and recovery on one memory. */
export const wholeRig = (options: { sources?: Sources; destinations?: Destinations } = {}): WholeRig => {
  const at = receiveRig(options)
  const consumer: Consuming = at.world
  const recoverer: Recovering = at.world
  return {
    ...at,
    consumer,
    recoverer,
    texts: () => [...at.memory.sent],
    deliver: async (
      handler,
      texts,
      {
        receiveCount = 1,
        group,
        remaining = 5_000,
        world = consumer,
        write = () => {},
        sentAt,
        tries,
        destination,
      } = {},
    ) => {
      const lambda = consume(handler, {
        world,
        environment: 'test',
        write,
        destination: destination ?? destinationOf(texts[0]),
        ...(tries !== undefined && { tries }),
      })
      const response = await lambda(sqsEvent(texts, { receiveCount, group, sentAt }), {
        getRemainingTimeInMillis: () => remaining,
      })
      return response.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)
    },
    bury: text => bury(at.world, { text, messageId: 'dead-1' }, 16),
    recover: () => recover(recoverer),
  }
}

const destinationOf = (text = ''): string => {
  const [, to] = /"to":\[("[^\]]*)\]/.exec(text) ?? []
  const names: readonly string[] = JSON.parse(`[${to ?? '"worker"'}]`)
  return names.length === 1 ? String(names[0]) : SEVERAL_NAME
}

const sqsEvent = (
  texts: readonly string[],
  { receiveCount, group, sentAt }: { receiveCount: number; group: string | undefined; sentAt: number | undefined },
): SQSEvent => ({
  Records: texts.map(
    (body, index) =>
      ({
        messageId: `m-${index}`,
        receiptHandle: `r-${index}`,
        body,
        attributes: {
          ApproximateReceiveCount: String(receiveCount),
          ...(group && { MessageGroupId: group }),
          ...(sentAt !== undefined && { SentTimestamp: String(sentAt) }),
        },
        messageAttributes: {},
        md5OfBody: '',
        eventSource: 'aws:sqs',
        eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:queue',
        awsRegion: 'us-east-1',
      }) as unknown as SQSRecord,
  ),
})
