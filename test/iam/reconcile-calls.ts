import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { secretsManagerKey } from '../../functions/adapters/secrets-manager-key.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import { randomFence } from '../../functions/adapters/system.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import { millis } from '../../functions/domain/brands.ts'
import { Secret } from '../../functions/domain/secret.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { reconcileDue } from '../../functions/reconcile/reconcile-due.ts'
import { HOOKLATCH_RESOURCES } from '../../lib/memory-aws/hooklatch-resources.ts'
import { memoryAws } from '../../lib/memory-aws/memory-aws.ts'
import { NOON } from '../support/events.ts'
import { RIG_NAMES } from '../support/memory-rig.ts'
import { RIG_KEY } from '../support/sealed.ts'
import { stripeEvent } from '../support/sender-stubs.ts'
import { httpOf } from '../support/stub-api.ts'
import type { NamedCall } from './name-calls.ts'
import { arnOf } from './template-names.ts'

const API_KEY = 'api-key'
const CALLER = 'Reconcile'
/** Too large for the table. */
const LARGE = Array.from({ length: 20_000 }, (_, number) => (number * 7919) % 104_729).join()

/**
 * What the reconciler asks of AWS. It calls a sender, and the suite on an emulator has none that it could reach: so it runs here, on
 * the memory AWS, with a stub of Stripe's API, and its calls are noted as they come.
 */
export const reconcileCalls = async (sources: Sources, scheduled: string): Promise<readonly NamedCall[]> => {
  const noted = new Set<string>()
  const note = (action: string, resource: string) =>
    void noted.add(JSON.stringify({ caller: CALLER, action, resource } satisfies NamedCall))
  let now = NOON
  const engine = memoryAws({
    ...HOOKLATCH_RESOURCES,
    secrets: { [RIG_NAMES.fingerprintKey]: RIG_KEY.reveal(), [API_KEY]: 'rk_test_reconcile' },
    now: () => now,
  })
  const aws = listened(engine.aws, note, scheduled)
  const world = {
    ...storesOver(aws, RIG_NAMES, { ...EVERY_STORE, secrets: secretsManagerKey }, () => now),
    environment: 'production',
    sources: resolveSources(sources),
    apiKey: async () => new Secret((await aws.secrets.getSecret(API_KEY))?.text ?? ''),
    urlOf: () => 'https://hooks.example.com',
    now: () => now,
    newFence: randomFence,
    pause: async () => {},
    leaseMillis: millis(15_000),
  }
  // Twice: the second run looks whether any of what the first has taken came by itself.
  for (const id of ['evt_first', 'evt_second']) {
    const http = httpOf(stub(id, now - 600_000))
    await reconcileDue({ ...world, http }, { stop: new AbortController().signal, tick: millis(3_600_000) })
    now = millis(now + 3_600_000)
  }
  return [...noted].map(line => JSON.parse(line) as NamedCall)
}

/** A list with a small event and a large one. */
const stub = (id: string, at: number) => () => {
  const event = stripeEvent({ id, type: 'a', at })
  return { body: { has_more: false, data: [event, { ...event, id: `${id}_large`, large: LARGE }] } }
}

const TABLES: Readonly<Record<string, string>> = {
  [RIG_NAMES.eventsTable]: 'TablesEvents',
  [RIG_NAMES.bodiesTable]: 'TablesBodies',
}

const tableArn = (name: string): string => arnOf('AWS::DynamoDB::Table', TABLES[name] ?? name)

const listened = (aws: AwsCalls, note: (action: string, resource: string) => void, scheduled: string): AwsCalls => {
  const ofTable =
    <Given extends { readonly TableName: string; readonly IndexName?: string }, Answer>(
      action: string,
      call: (given: Given) => Answer,
    ) =>
    (given: Given): Answer => {
      const index = given.IndexName === undefined ? [] : ['index', given.IndexName]
      note(`dynamodb:${action}`, [tableArn(given.TableName), ...index].join('/'))
      return call(given)
    }
  const { dynamo, queue, objects, secrets } = aws
  return {
    ...aws,
    dynamo: {
      ...dynamo,
      putItem: ofTable('PutItem', dynamo.putItem),
      updateItem: ofTable('UpdateItem', dynamo.updateItem),
      getItem: ofTable('GetItem', dynamo.getItem),
      batchGetItem: ofTable('BatchGetItem', dynamo.batchGetItem),
      query: ofTable('Query', dynamo.query),
    },
    queue: {
      ...queue,
      sendMessage(message) {
        note('sqs:SendMessage', arnOf('AWS::SQS::Queue', 'EventsQueue'))
        return queue.sendMessage(message)
      },
    },
    objects: {
      ...objects,
      putNew(bucket, key, object) {
        note('s3:PutObject', `${arnOf('AWS::S3::Bucket', 'BodiesBucket')}/${key.split('/')[0]}/body`)
        return objects.putNew(bucket, key, object)
      },
    },
    secrets: {
      ...secrets,
      getSecret(id) {
        const name = id === API_KEY ? `SecretsApiKeys${scheduled}` : 'SecretsFingerprintKey'
        note('secretsmanager:GetSecretValue', arnOf('AWS::SecretsManager::Secret', name))
        return secrets.getSecret(id)
      },
    },
  }
}
