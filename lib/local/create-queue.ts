import { CreateQueueCommand, SetQueueAttributesCommand, type SQSClient } from '@aws-sdk/client-sqs'

/** Attributes are set after creation: creating an existing queue with other attributes is an error in SQS. */
export const createQueue = async (
  client: SQSClient,
  name: string,
  attributes: Record<string, string>,
): Promise<string> => {
  const kind = name.endsWith('.fifo') ? { Attributes: { FifoQueue: 'true' } } : {}
  await client.send(new CreateQueueCommand({ QueueName: name, ...kind }))
  // A kept queue answers with the URL of an earlier run, whose port is gone.
  const endpoint = await client.config.endpoint?.()
  if (endpoint === undefined) throw new Error('the SQS client of the local instance has no endpoint')
  const queueUrl = `${endpoint.protocol}//${endpoint.hostname}:${endpoint.port}/000000000000/${name}`
  if (Object.keys(attributes).length > 0) {
    await client.send(new SetQueueAttributesCommand({ QueueUrl: queueUrl, Attributes: attributes }))
  }
  return queueUrl
}
