import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SetQueueAttributesCommand } from '@aws-sdk/client-sqs'
import { ENVIRONMENT } from '../../functions/contract/environment.ts'
import { localClients } from '../../lib/connect/local-clients.ts'
import { createResources } from '../../lib/local/create-resources.ts'
import { availableDynamo } from '../../lib/local/engines/dynamo-command.ts'
import { startDynamo } from '../../lib/local/engines/start-dynamo.ts'
import { startFauxqs } from '../../lib/local/engines/start-fauxqs.ts'
import type { Chance } from '../simulation/random.ts'
import { freshTable } from '../support/engines.ts'
import { localSdk } from '../support/local-sdk.ts'
import { bundle } from './bundle.ts'
import { type LossyProxy, startProxy } from './proxy.ts'
import { startSecretServer } from './secret-server.ts'
import { SECRETS } from './sources.ts'

/** Seconds, not minutes: the functions' clocks are fast, and the queue's is not. */
const VISIBILITY = { queue: '3', deadLetters: '5' } as const

/** Engines on disk, bundled handlers, and a lossy network between them. */
export const openKillRig = async (luck: Chance) => {
  const dir = mkdtempSync(join(tmpdir(), 'hooklatch-kill-'))
  const found = await availableDynamo()
  if ('missing' in found) throw new Error(found.missing)
  let [dynamo, queues] = await Promise.all([startDynamo(found.kind, dir), startFauxqs(dir), bundle(dir)])
  const endpoints = () => ({ dynamodb: dynamo.endpoint, sqs: queues.endpoint, s3: queues.endpoint })
  const clients = () => ({ ...localClients(endpoints()), ...localSdk(endpoints()) })
  const resources = await createResources(clients(), { deletesExpired: false })
  const effectsTable = await freshTable(dynamo.endpoint, {
    partitionKey: { name: 'key', type: 'S' },
    timeToLive: 'expiresAt',
  })
  const { sqs } = clients()
  const hide = (QueueUrl: string, VisibilityTimeout: string) =>
    sqs.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout } }))
  await hide(resources.queueUrl, VISIBILITY.queue)
  await hide(resources.deadLettersUrl, VISIBILITY.deadLetters)
  const secrets = await startSecretServer({ signing: JSON.stringify(SECRETS), key: 'kill-fingerprint-key' })
  const proxies = {
    DYNAMODB: await startProxy(dynamo.endpoint, luck),
    SQS: await startProxy(queues.endpoint, luck),
    S3: await startProxy(queues.endpoint, luck),
    SECRETS_MANAGER: await startProxy(secrets.url, luck),
  } satisfies Record<string, LossyProxy>

  return {
    dir,
    resources,
    effectsTable,
    clients,
    proxies: Object.values(proxies) as readonly LossyProxy[],
    variables: (epoch: number): Record<string, string> => ({
      ...Object.fromEntries(Object.entries(proxies).map(([name, { url }]) => [`AWS_ENDPOINT_URL_${name}`, url])),
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      [ENVIRONMENT.environment]: 'kill',
      [ENVIRONMENT.eventsTable]: resources.eventsTable,
      [ENVIRONMENT.bodiesTable]: resources.bodiesTable,
      [ENVIRONMENT.bodiesBucket]: resources.bodiesBucket,
      [ENVIRONMENT.queueUrl]: resources.queueUrl,
      [ENVIRONMENT.deadLettersUrl]: resources.deadLettersUrl,
      [ENVIRONMENT.signingSecrets]: 'signing',
      [ENVIRONMENT.fingerprintKey]: 'key',
      KILL_EFFECTS_TABLE: effectsTable,
      KILL_EPOCH: String(epoch),
    }),
    /** The engine dies with -9 as well, and comes back on what it had written. */
    killDynamo: async () => {
      process.kill(dynamo.pid, 'SIGKILL')
      await dynamo.died
      dynamo = await startDynamo(found.kind, dir)
      proxies.DYNAMODB.target = dynamo.endpoint
    },
    close: async () => {
      for (const proxy of Object.values(proxies)) proxy.stop()
      secrets.stop()
      await Promise.all([dynamo.stop(), queues.stop()])
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

export type KillRig = Awaited<ReturnType<typeof openKillRig>>
