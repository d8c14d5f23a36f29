import { hash } from 'node:crypto'
import type { QueueCalls } from '../wire/queue-calls.ts'
import type { Caller } from './caller.ts'
import { jsonCalls } from './json-protocol.ts'
import { ServiceFault } from './service-fault.ts'

export const leanQueue = (caller: Caller): QueueCalls => {
  const call = jsonCalls(caller, 'AmazonSQS', '1.0')
  /** The queue's own host, as the SDK asks it; where an endpoint is set, queue URLs do not resolve. */
  const hostOf = (queueUrl: string): URL | undefined => (caller.endpoint.custom ? undefined : new URL(queueUrl))

  return {
    async sendMessage(message) {
      try {
        const url = hostOf(message.QueueUrl)
        const { MD5OfMessageBody } = await call<Receipt>('SendMessage', message, url)
        assertWhole(message.MessageBody, MD5OfMessageBody)
        return { kind: 'sent' }
      } catch (error) {
        return refused(error)
      }
    },

    async sendMessageBatch(QueueUrl, entries) {
      try {
        const Entries = entries.map((entry, index) => ({ ...entry, Id: String(index) }))
        const answer = await call<BatchReceipt>('SendMessageBatch', { QueueUrl, Entries }, hostOf(QueueUrl))
        for (const { Id, MD5OfMessageBody } of answer.Successful ?? []) {
          assertWhole(entries[Number(Id)]?.MessageBody ?? '', MD5OfMessageBody)
        }
        const failed = (answer.Failed ?? []).map(({ Id, Code, Message = '', SenderFault = false }) => {
          return [Number(Id), { cause: `${Code}: ${Message}`, certain: SenderFault && answer.attempts === 1 }] as const
        })
        return { kind: 'sent', failed: new Map(failed) }
      } catch (error) {
        return refused(error)
      }
    },
  }
}

interface Receipt {
  readonly MD5OfMessageBody?: string
}

interface BatchReceipt {
  readonly Successful?: readonly (Receipt & { readonly Id: string })[]
  readonly Failed?: readonly { Id: string; Code: string; Message?: string; SenderFault?: boolean }[]
}

/** SQS may replace characters that it does not take, and says so only by this. */
const assertWhole = (body: string, digest: string | undefined): void => {
  if (digest !== hash('md5', body)) throw new Error('the queue holds another message than was sent: its MD5 differs')
}

const refused = (error: unknown): { readonly kind: 'refused'; readonly error: Error } => {
  if (error instanceof ServiceFault && error.certain) return { kind: 'refused', error }
  throw error
}
