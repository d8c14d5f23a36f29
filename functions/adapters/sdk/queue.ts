import { SendMessageBatchCommand, SendMessageCommand, type SQSClient, SQSServiceException } from '@aws-sdk/client-sqs'
import type { QueueCalls } from '../wire/queue-calls.ts'

export const sdkQueue = (client: SQSClient): QueueCalls => ({
  async sendMessage(message) {
    try {
      await client.send(new SendMessageCommand(message))
      return { kind: 'sent' }
    } catch (error) {
      return refused(error)
    }
  },

  async sendMessageBatch(QueueUrl, entries) {
    try {
      const Entries = entries.map((entry, index) => ({ ...entry, Id: String(index) }))
      const { Failed = [], $metadata } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }))
      const failed = Failed.map(({ Id, Code, Message = '', SenderFault = false }) => {
        return [Number(Id), { cause: `${Code}: ${Message}`, certain: SenderFault && $metadata.attempts === 1 }] as const
      })
      return { kind: 'sent', failed: new Map(failed) }
    } catch (error) {
      return refused(error)
    }
  },
})

const refused = (error: unknown): { readonly kind: 'refused'; readonly error: Error } => {
  const certain = error instanceof SQSServiceException && error.$fault === 'client' && error.$metadata.attempts === 1
  if (!certain) throw error
  return { kind: 'refused', error }
}
