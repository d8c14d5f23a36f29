import { userInfo } from 'node:os'
import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import type { LocalConnection } from './connection.ts'
import { fileSecretsAdmin } from './file-secrets-admin.ts'
import type { Instance } from './instance.ts'
import { localClients } from './local-clients.ts'
import { clockOf } from './running-instance.ts'

/** The stores of a running local instance, at its own time. */
export const connectLocal = (instance: Instance): LocalConnection => {
  const { aws } = localClients(instance.endpoints)
  const now = clockOf(instance)
  const { resources } = instance
  return {
    kind: 'local',
    name: 'local',
    environment: instance.environment,
    instance,
    stores: storesOver(aws, resources, EVERY_STORE, now),
    secrets: fileSecretsAdmin(instance.secretsFile),
    resources,
    aws,
    urlOf: source => instance.urls[source],
    sourceFile: instance.sourceFile,
    now,
    actor: async () => userInfo().username,
  }
}
