import { userInfo } from 'node:os'
import { awsBodies } from '../../functions/adapters/aws-bodies.ts'
import { dynamodbEvents } from '../../functions/adapters/dynamodb-events.ts'
import { dynamodbRecovery } from '../../functions/adapters/dynamodb-recovery.ts'
import { sqsQueue } from '../../functions/adapters/sqs-queue.ts'
import { publishPath, webhookPath } from '../../functions/contract/routes.ts'
import type { LocalConnection } from './connection.ts'
import { fileSecretsAdmin } from './file-secrets-admin.ts'
import type { Instance } from './instance.ts'
import { localClients } from './local-clients.ts'
import { clockOf } from './running-instance.ts'

/** The stores of a running local instance, at its own time. */
export const connectLocal = (instance: Instance): LocalConnection => {
  const clients = localClients(instance.endpoints)
  const { resources } = instance
  return {
    kind: 'local',
    name: 'local',
    environment: instance.environment,
    instance,
    events: dynamodbEvents(clients.dynamodb, resources.eventsTable),
    bodies: awsBodies({ ...clients, table: resources.bodiesTable, bucket: resources.bodiesBucket }),
    queue: sqsQueue(clients.sqs, { standard: resources.queueUrl, ordered: resources.orderedQueueUrl }),
    recovery: dynamodbRecovery(clients.dynamodb, resources.eventsTable),
    secrets: fileSecretsAdmin(instance.secretsFile),
    resources,
    clients,
    urlOf: source => instance.url + (instance.internal.includes(source) ? publishPath : webhookPath)(source),
    sourceFile: instance.sourceFile,
    now: clockOf(instance),
    actor: async () => userInfo().username,
  }
}
