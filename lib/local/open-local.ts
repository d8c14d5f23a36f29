import { join } from 'node:path'
import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import { randomFence, systemClock, systemPause, systemRandom } from '../../functions/adapters/system.ts'
import type { Handler } from '../../functions/consume/handle.ts'
import { RECEIVE_LEASE_MS } from '../../functions/contract/limits.ts'
import { iso, type Millis, millis } from '../../functions/domain/brands.ts'
import type { Clock } from '../../functions/domain/ports.ts'
import type { Source } from '../../functions/domain/source.ts'
import { publishHandler } from '../../functions/publish/lambda.ts'
import { boundedKeeping } from '../../functions/receive/bounded-keeping.ts'
import { lambdaHandler } from '../../functions/receive/lambda.ts'
import { RECEIVER_STORES } from '../../functions/receive/receiver-stores.ts'
import type { GatewayHandler } from '../../functions/shell/http-function.ts'
import { connectLocal } from '../connect/connect-local.ts'
import { fileSecrets } from '../connect/file-secrets.ts'
import { FINGERPRINT_KEY_IN_MEMORY } from '../connect/fingerprint-key.ts'
import { removeInstance, stateDir, writeInstance } from '../connect/instance.ts'
import { listenOn } from '../connect/listen-on.ts'
import { localClients } from '../connect/local-clients.ts'
import { isRefusal, type Refusal, refuse } from '../connect/refusal.ts'
import { openConsole } from '../console/open-console.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { createResources } from './create-resources.ts'
import { takeDataDir } from './data-dir.ts'
import { deliveryLog } from './delivery-log.ts'
import { accessKeyFor, adoptSharedDatabase } from './engines/access-key.ts'
import { availableDynamo } from './engines/dynamo-command.ts'
import { type Engines, startEngines } from './engines/start-engines.ts'
import { httpFront } from './http-front.ts'
import { openConsumers } from './open-consumers.ts'
import { sampleCurl } from './sample-curl.ts'
import { sourceUrls } from './source-urls.ts'

export interface LocalOptions {
  /** 0 takes any free one. */
  readonly port: number
  /** Of the console; 0 takes any free one. */
  readonly consolePort: number
  /** Which API Gateway the front door is: the functions read the events of both. */
  readonly api: 'http' | 'rest'
  /** Where `.hooklatch/` is. */
  readonly directory: string
  readonly dataDir: string | undefined
  readonly frozenAt: Millis | undefined
  readonly sourceFile: string
  readonly secretsFile: string
  /** The user's own code, which gets the events. */
  readonly workerFile: string
  /** In real time. */
  readonly recoverEvery: Millis
}

/** What has to be undone at the end, last first. */
export type Closing = (() => unknown)[]

export interface LocalReceiver {
  readonly url: string
  /** The whole URL of the console, with its token. */
  readonly console: string
  readonly engines: Engines
  readonly now: Clock
}

const ENVIRONMENT = 'local'

interface Handlers {
  readonly receive: GatewayHandler
  readonly publish: GatewayHandler
}

type SourceMap = ReadonlyMap<string, Source>

/** What a user brings to a local instance. */
export interface Brought {
  readonly sources: SourceMap
  readonly worker: Handler
}

/** The composition root: the functions that run in AWS, with the same adapters, on engines that end with this process. */
export const openLocal = async (
  options: LocalOptions,
  { sources, worker }: Brought,
  closing: Closing,
  terminal: Terminal,
): Promise<LocalReceiver | Refusal> => {
  const { dataDir, frozenAt } = options
  const now: Clock = frozenAt === undefined ? systemClock : () => frozenAt

  // The port comes first: a second start is told that it is busy before it touches any data.
  const handlers = Promise.withResolvers<Handlers>()
  const listening = await openFront(options, sources, now, handlers.promise, terminal)
  if (isRefusal(listening)) return listening
  closing.push(listening.close)

  const data = dataDir === undefined ? undefined : takeDataDir(dataDir)
  if (isRefusal(data)) return data
  if (data) closing.push(data.release)
  const dynamodb = await availableDynamo()
  if ('missing' in dynamodb) return refuse(dynamodb.missing)
  const accessKey = accessKeyFor(dynamodb.kind, data?.fingerprintKey)
  if (dataDir !== undefined && dynamodb.kind === 'dynamodb-local') adoptSharedDatabase(dataDir, accessKey)
  const engines = await startEngines({ dynamodb: dynamodb.kind, accessKey, ...(dataDir !== undefined && { dataDir }) })
  closing.push(engines.stop)

  const clients = localClients(engines.endpoints)
  const resources = await createResources(clients, { deletesExpired: frozenAt === undefined })
  const deliveries = join(dataDir ?? stateDir(options.directory), 'deliveries.log')
  const write = deliveryLog({ file: deliveries, keep: dataDir !== undefined, terminal })
  const secrets = fileSecrets(options.secretsFile, data?.fingerprintKey ?? FINGERPRINT_KEY_IN_MEMORY, now)
  const own = {
    environment: ENVIRONMENT,
    sources,
    secrets,
    now,
    newFence: randomFence,
    pause: systemPause,
    random: systemRandom,
    leaseMillis: millis(RECEIVE_LEASE_MS),
  }
  const world = { ...storesOver(clients.aws, resources, EVERY_STORE, now), ...own }
  const { deliveries: keeping, ...receiving } = storesOver(clients.receivers, resources, RECEIVER_STORES, now)
  const receiver = { ...receiving, ...own, deliveries: boundedKeeping(keeping, systemClock) }
  handlers.resolve({ receive: lambdaHandler(receiver, write), publish: publishHandler(receiver, write) })
  const { recoverEvery } = options
  const consumers = { world, worker, queue: clients.aws.queue, resources, recoverEvery, write, warn: terminal.err }
  closing.push(openConsumers(consumers).stop)
  // Closed again, and now first: running deliveries and what they put on the queue still have their engines.
  closing.push(listening.close)

  const { url } = listening
  const internal = [...sources.values()].filter(({ publish }) => publish !== null).map(({ name }) => name)
  const instance = { ...instanceOf(options, engines), url, internal, resources, deliveries }
  const page = await openConsole(connectLocal(instance), {
    port: options.consolePort,
    curl: () => sampleCurl(url, sources, options.secretsFile, now())?.line ?? null,
    warn: terminal.err,
  })
  if (isRefusal(page)) return page
  closing.push(page.close)
  writeInstance(options.directory, { ...instance, console: page.url })
  closing.push(() => removeInstance(options.directory, process.pid))
  return { url, console: page.url, engines, now }
}

const instanceOf = (
  { frozenAt, dataDir, sourceFile, secretsFile, workerFile }: LocalOptions,
  { endpoints, dynamodb }: Engines,
) => ({
  pid: process.pid,
  console: null,
  environment: ENVIRONMENT,
  endpoints,
  engine: { kind: dynamodb.kind, pid: dynamodb.pid },
  startedAt: iso(systemClock()),
  now: frozenAt === undefined ? null : iso(frozenAt),
  data: dataDir ?? null,
  sourceFile,
  secretsFile,
  workerFile,
})

const openFront = async (
  { port, api }: LocalOptions,
  sources: SourceMap,
  now: Clock,
  handlers: Promise<Handlers>,
  terminal: Terminal,
) => {
  const front = httpFront({
    // A delivery that comes while the engines start waits for them.
    handler: async (event, context) => (await handlers).receive(event, context),
    publish: async (event, context) => (await handlers).publish(event, context),
    format: api === 'rest' ? 'v1' : 'v2',
    now,
    welcome: origin => ['Hooklatch, on a laptop.', '', ...sourceUrls(origin, sources), ''].join('\n'),
    onError: error => terminal.err(`A delivery failed unexpectedly: ${String(error)}`),
  })
  return listenOn(front, port)
}
