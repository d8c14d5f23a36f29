import type { Context } from 'aws-lambda'
import { openObjects, openQueue, openSecrets, openWholeDynamo } from '#every-call'
import sources from '#resolved'
import { eventClaims, eventMoves } from '../adapters/dynamodb-events.ts'
import { eventReads } from '../adapters/dynamodb-listing.ts'
import { dynamodbReconciler } from '../adapters/dynamodb-reconciler.ts'
import { dynamodbReplays } from '../adapters/dynamodb-replays.ts'
import { stackNames, variable } from '../adapters/environment.ts'
import { bodyKeeping } from '../adapters/s3-and-dynamodb-bodies.ts'
import { secretsManagerKey } from '../adapters/secrets-manager-key.ts'
import { senderHttp } from '../adapters/sender-http.ts'
import { sqsQueue } from '../adapters/sqs-queue.ts'
import { storesOver } from '../adapters/stores.ts'
import { systemClock, systemWorld, writeLine } from '../adapters/system.ts'
import { NO_API_KEY, type ReconciledTold } from '../contract/reconciled.ts'
import { millis } from '../domain/brands.ts'
import { Secret } from '../domain/secret.ts'
import { reconcileDue } from './reconcile-due.ts'
import { reconcileLine } from './reconcile-line.ts'

const STORES = {
  claims: eventClaims,
  events: eventMoves,
  records: eventReads,
  bodies: bodyKeeping,
  queue: sqsQueue,
  replays: dynamodbReplays,
  reconciler: dynamodbReconciler,
  secrets: secretsManagerKey,
} as const

const told = JSON.parse(variable('reconciled')) as Readonly<Record<string, ReconciledTold>>
const aws = { dynamo: openWholeDynamo(), objects: openObjects(), queue: openQueue(), secrets: openSecrets() }
const world = {
  ...storesOver(aws, stackNames, STORES, systemClock),
  environment: variable('environment'),
  sources,
  http: senderHttp,
  // Never kept from one run to the next: a key that was changed counts at once.
  apiKey: async ({ name }: { readonly name: string }) => {
    const { text = NO_API_KEY } = (await aws.secrets.getSecret(told[name]?.apiKey ?? '')) ?? {}
    return text === NO_API_KEY ? undefined : new Secret(text)
  },
  urlOf: (source: string) => told[source]?.url ?? '',
  ...systemWorld,
}

/** As often as the source that is compared most often. */
const tick = millis(Math.min(...[...sources.values()].flatMap(({ reconcile }) => reconcile?.every ?? [])) * 1000)

/** Time to end the call that is under way, and to write down how far it came. */
const STOP_BEFORE_MS = 75_000

export const handler = async (_event: unknown, context: Pick<Context, 'getRemainingTimeInMillis'>): Promise<void> => {
  const stop = AbortSignal.timeout(Math.max(0, context.getRemainingTimeInMillis() - STOP_BEFORE_MS))
  for (const each of (await reconcileDue(world, { stop, tick })) ?? []) {
    writeLine(reconcileLine(world.environment, each))
  }
}
