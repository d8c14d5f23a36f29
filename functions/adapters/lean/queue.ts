import { hash } from 'node:crypto'
import { isGone } from '../wire/is-gone.ts'
import type { QueueCalls, QueueMessage, ReceivedMessage, SendCalls } from '../wire/queue-calls.ts'
import { type BatchReceipt, readBatch } from '../wire/read-batch.ts'
import type { Caller } from './caller.ts'
import { jsonCalls } from './json-protocol.ts'
import { ServiceFault } from './service-fault.ts'

type Input = { readonly QueueUrl: string } & Readonly<Record<string, unknown>>

/** Each queue at its own host, as the SDK asks it; where an endpoint is set, queue URLs do not resolve. */
const queueCalls = (caller: Caller) => {
  const call = jsonCalls(caller, 'AmazonSQS', '1.0')
  const urls = new Map<string, URL>()
  const urlOf = (queue: string): URL => {
    const url = urls.get(queue) ?? new URL(queue)
    urls.set(queue, url)
    return url
  }
  return <Answer>(operation: string, input: Input, waits = 0, text?: string) =>
    call<Answer>(operation, text ?? input, caller.endpoint.custom ? { waits } : { url: urlOf(input.QueueUrl), waits })
}

/** What receive and publish call. */
export const leanQueue = (caller: Caller): SendCalls => {
  const call = queueCalls(caller)
  return {
    async sendMessage(message, body) {
      try {
        const text = body && asciiText(message)
        const { MD5OfMessageBody } = await call<Receipt>('SendMessage', { ...message }, undefined, text)
        assertWhole(message.MessageBody, MD5OfMessageBody)
        return { kind: 'sent' }
      } catch (error) {
        return refused(error)
      }
    },

    async sendMessageBatch(QueueUrl, entries) {
      try {
        const input = { QueueUrl, Entries: entries.map((entry, index) => ({ ...entry, Id: String(index) })) }
        const answer = await call<BatchReceipts>('SendMessageBatch', input)
        for (const { Id, MD5OfMessageBody } of answer.Successful ?? []) {
          assertWhole(entries[Number(Id)]?.MessageBody ?? '', MD5OfMessageBody)
        }
        return readBatch(entries.length, answer, answer.attempts)
      } catch (error) {
        return refused(error)
      }
    },
  }
}

/**
 * As JSON. JSON.stringify looks at each of a million characters: it gets what stands before the body of an event, which is full of quotes.
 * The body is base64 and has nothing to escape, and after it comes its end.
 */
const asciiText = (message: QueueMessage): string => {
  const { MessageBody, ...beside } = message
  const from = MessageBody.indexOf(DATA) + DATA.length
  const data = MessageBody.slice(from, -END.length)
  const isPlain = from >= DATA.length && MessageBody.endsWith(END) && !data.includes('"') && !data.includes('\\')
  // A message without a body, or with a header of that name.
  if (!isPlain) return JSON.stringify(message)
  const before = JSON.stringify(MessageBody.slice(0, from)).slice(0, -1)
  return `${JSON.stringify(beside).slice(0, -1)},"MessageBody":${before}${data}\\"}}"}`
}

const DATA = '"data":"'
const END = '"}}'

/** What nobody calls who only receives deliveries. */
export const leanQueueReads = (caller: Caller): Omit<QueueCalls, keyof SendCalls> => {
  const call = queueCalls(caller)
  return {
    async receiveMessages(QueueUrl, { waitSeconds, signal }) {
      // Nobody would see what it brings, and it would hide it from others.
      signal?.throwIfAborted()
      const input = {
        QueueUrl,
        MaxNumberOfMessages: 10,
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
        MessageAttributeNames: ['All'],
      }
      const received = call<{ Messages?: readonly SqsMessage[] }>('ReceiveMessage', input, waitSeconds * 1000)
      const { Messages = [] } = await (signal ? untilAborted(received, signal) : received)
      return Messages.map(toReceived)
    },

    async deleteMessages(QueueUrl, receipts) {
      const Entries = receipts.map((ReceiptHandle, index) => ({ Id: String(index), ReceiptHandle }))
      const { Failed = [] } = await call<BatchReceipt>('DeleteMessageBatch', { QueueUrl, Entries })
      return Failed.map(({ Id }) => Number(Id))
    },

    async changeVisibility(QueueUrl, ReceiptHandle, VisibilityTimeout) {
      try {
        await call('ChangeMessageVisibility', { QueueUrl, ReceiptHandle, VisibilityTimeout })
        return 'changed'
      } catch (error) {
        if (isGone(error)) return 'gone'
        throw error
      }
    },

    async queueState(QueueUrl) {
      const input = { QueueUrl, AttributeNames: ['QueueArn', ...DEPTH] }
      const { Attributes = {} } = await call<{ Attributes?: Record<string, string> }>('GetQueueAttributes', input)
      return {
        arn: Attributes.QueueArn ?? '',
        messages: DEPTH.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0),
      }
    },
  }
}

const DEPTH = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const

/** What came too late for its caller stays hidden for a while, and then comes back. */
const untilAborted = <Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

interface SqsMessage {
  readonly MessageId?: string
  readonly ReceiptHandle?: string
  readonly Body?: string
  readonly Attributes?: Readonly<Record<string, string>>
  readonly MessageAttributes?: Readonly<Record<string, { readonly StringValue?: string }>>
}

const toReceived = (message: SqsMessage): ReceivedMessage => ({
  messageId: message.MessageId ?? '',
  receipt: message.ReceiptHandle ?? '',
  body: message.Body ?? '',
  system: message.Attributes ?? {},
  attributes: Object.fromEntries(
    Object.entries(message.MessageAttributes ?? {}).map(([name, { StringValue = '' }]) => [name, StringValue]),
  ),
})

interface Receipt {
  readonly MD5OfMessageBody?: string
}

type BatchReceipts = BatchReceipt & { readonly Successful?: readonly (Receipt & { readonly Id?: string })[] }

/** SQS may replace characters that it does not take, and says so only by this. */
const assertWhole = (body: string, digest: string | undefined): void => {
  if (digest !== hash('md5', body)) throw new Error('the queue holds another message than was sent: its MD5 differs')
}

const refused = (error: unknown): { readonly kind: 'refused'; readonly error: Error } => {
  if (error instanceof ServiceFault && error.certain) return { kind: 'refused', error }
  throw error
}
