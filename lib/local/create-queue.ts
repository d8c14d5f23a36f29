import type { LocalCreating } from '../connect/local-clients.ts'

/** Attributes are set after creation: creating an existing queue with other attributes is an error in SQS. */
export const createQueue = async (
  { queues, queueUrl }: Pick<LocalCreating, 'queues' | 'queueUrl'>,
  name: string,
  attributes: Record<string, string>,
): Promise<string> => {
  const kind = name.endsWith('.fifo') ? { Attributes: { FifoQueue: 'true' } } : {}
  await queues('CreateQueue', { QueueName: name, ...kind })
  // A kept queue answers with the URL of an earlier run, whose port is gone.
  const QueueUrl = queueUrl(name)
  if (Object.keys(attributes).length > 0) await queues('SetQueueAttributes', { QueueUrl, Attributes: attributes })
  return QueueUrl
}
