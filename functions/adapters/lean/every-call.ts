import type { AwsCalls, ReceiverCalls } from '../wire/aws-calls.ts'
import { serviceOf } from './aws.ts'
import type { Settings } from './caller.ts'
import { documentSpelling } from './document-values.ts'
import { leanDynamo, leanDynamoReads } from './dynamo.ts'
import { leanObjectReads, leanObjects } from './objects.ts'
import { leanQueue, leanQueueReads } from './queue.ts'
import { leanSecrets } from './secrets.ts'

/*
 * Every call of the wire without the SDK, service by service: a bundle holds those that its function opens.
 */

/** Without what only those call who look at many items. */
export const openDynamo = (settings: Partial<Settings> = {}): ReceiverCalls['dynamo'] =>
  leanDynamo(serviceOf('dynamodb', settings), documentSpelling)

export const openWholeDynamo = (settings: Partial<Settings> = {}): AwsCalls['dynamo'] => {
  const dynamo = serviceOf('dynamodb', settings)
  return { ...leanDynamo(dynamo, documentSpelling), ...leanDynamoReads(dynamo) }
}

export const openQueue = (settings: Partial<Settings> = {}): AwsCalls['queue'] => {
  const queue = serviceOf('sqs', settings)
  return { ...leanQueue(queue), ...leanQueueReads(queue) }
}

export const openObjects = (settings: Partial<Settings> = {}): AwsCalls['objects'] => {
  const objects = serviceOf('s3', settings)
  return { ...leanObjects(objects), ...leanObjectReads(objects) }
}

export const openSecrets = (settings: Partial<Settings> = {}): AwsCalls['secrets'] =>
  leanSecrets(serviceOf('secretsmanager', settings))

/** All of them. */
export const openAws = (settings: Partial<Settings> = {}): AwsCalls => ({
  dynamo: openWholeDynamo(settings),
  queue: openQueue(settings),
  objects: openObjects(settings),
  secrets: openSecrets(settings),
  prime: async () => {},
})
