import type { AwsCalls } from '../wire/aws-calls.ts'
import { callersOf } from './aws.ts'
import type { Settings } from './caller.ts'
import { leanDynamo, leanDynamoReads } from './dynamo.ts'
import { leanObjectReads, leanObjects } from './objects.ts'
import { leanQueue, leanQueueReads } from './queue.ts'
import { leanSecretSwap, leanSecrets } from './secrets.ts'

/** Every call of the wire without the SDK, for those who do more than receive. */
export const openAws = (settings: Partial<Settings> = {}): AwsCalls => {
  const { dynamo, queue, objects, secrets } = callersOf(settings)
  return {
    dynamo: { ...leanDynamo(dynamo), ...leanDynamoReads(dynamo) },
    queue: { ...leanQueue(queue), ...leanQueueReads(queue) },
    objects: { ...leanObjects(objects), ...leanObjectReads(objects) },
    secrets: { ...leanSecrets(secrets), ...leanSecretSwap(secrets) },
    prime: async () => void (await Promise.all([dynamo.connect(), queue.connect()])),
  }
}
