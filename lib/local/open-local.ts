import { join } from 'node:path'
import { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import { senderHttp } from '../../functions/adapters/sender-http.ts'
import { storesOver } from '../../functions/adapters/stores.ts'
import { randomFence, systemClock, systemPause, systemRandom } from '../../functions/adapters/system.ts'
import { RECEIVE_LEASE_MS } from '../../functions/contract/limits.ts'
import { publishPath, webhookPath } from '../../functions/contract/routes.ts'
import { iso, type Millis, millis } from '../../functions/domain/brands.ts'
import type { Destinations } from '../../functions/domain/destinations.ts'
import type { Clock } from '../../functions/domain/ports.ts'
import type { Source } from '../../functions/domain/source.ts'
import { publishHandler } from '../../functions/publish/lambda.ts'
import { boundedKeeping } from '../../functions/receive/bounded-keeping.ts'
import { lambdaHandler } from '../../functions/receive/lambda.ts'
import { RECEIVER_STORES } from '../../functions/receive/receiver-stores.ts'
import type { GatewayHandler } from '../../functions/shell/http-function.ts'
import type { App } from '../app/read-app.ts'
import { connectLocal } from '../connect/connect-local.ts'
import { fileSecrets } from '../connect/file-secrets.ts'
import { FINGERPRINT_KEY_IN_MEMORY } from '../connect/fingerprint-key.ts'
import { removeInstance, stateDir, writeInstance } from '../connect/instance.ts'
import { listenOn } from '../connect/listen-on.ts'
import { credentialsOf, localClients } from '../connect/local-clients.ts'
import { isRefusal, type Refusal } from '../connect/refusal.ts'
import { openConsole } from '../console/open-console.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { createApp } from './create-app.ts'
import { createResources } from './create-resources.ts'
import { deliveryLog } from './delivery-log.ts'
import { destinationConsumers } from './destination-consumers.ts'
import type { Engines } from './engines/start-engines.ts'
import { httpFront } from './http-front.ts'
import { loadWorker } from './load-worker.ts'
import { noteEffects } from './note-effects.ts'
import { openConsumers } from './open-consumers.ts'
import { type Closing, openEngines } from './open-engines.ts'
import { reconcileRegularly } from './reconcile-regularly.ts'
import { WELCOME } from './refuse-second.ts'
import { sampleCurl } from './sample-curl.ts'
import { sourceUrls } from './source-urls.ts'

export interface LocalOptions {
  /** 0 takes any free one. */
  readonly port: number
  /** Of the console; 0 takes any free one. */
  readonly consolePort: number
  /** Which API Gateway the front door is: the functions read the events of both. */
  readonly api: LocalApi
  /** Where `.hooklatch/` is. */
  readonly directory: string
  readonly dataDir: string | undefined
  readonly frozenAt: Millis | undefined
  readonly sourceFile: string
  readonly secretsFile: string
  /** The user's own code, which gets the events. */
  readonly workerFile: string
  /** Where routes may lead to besides the worker. */
  readonly destinations: Destinations
  /** The user's own app. @default the sources and the worker alone */
  readonly app?: App | undefined
  /** In real time. */
  readonly recoverEvery: Millis
  /** For tests: instead of the hosts of senders. */
  readonly apiUrl: string | undefined
}

export interface LocalReceiver {
  readonly url: string
  /** The whole URL of the console, with its token. */
  readonly console: string
  readonly engines: Engines
  readonly now: Clock
  /** Of the user's own app: the local name of each, by its logical id. */
  readonly tables: Readonly<Record<string, string>>
  /** What the user's app has and this machine does not. */
  readonly notes: readonly string[]
}

const ENVIRONMENT = 'local'

interface Handlers {
  readonly receive: GatewayHandler
  readonly publish: GatewayHandler
}

type SourceMap = ReadonlyMap<string, Source>

/** The composition root: the functions that run in AWS, with the same adapters, on engines that end with this process. */
export const openLocal = async (
  options: LocalOptions,
  sources: SourceMap,
  closing: Closing,
  terminal: Terminal,
): Promise<LocalReceiver | Refusal> => {
  const { dataDir, frozenAt, app, destinations } = options
  const now: Clock = frozenAt === undefined ? systemClock : () => frozenAt

  // The port comes first: a second start is told that it is busy before it touches any data.
  const handlers = Promise.withResolvers<Handlers>()
  const listening = await openFront(options, sources, now, handlers.promise, terminal)
  if (isRefusal(listening)) return listening
  closing.push(listening.close)

  const opened = await openEngines(options, closing)
  if (isRefusal(opened)) return opened
  const { engines, fingerprintKey = FINGERPRINT_KEY_IN_MEMORY } = opened

  const clients = localClients(engines.endpoints, engines.exchange)
  const deletesExpired = frozenAt === undefined
  const resources = await createResources(clients, {
    deletesExpired,
    destinations,
    ...(app && { workerTimeoutSeconds: app.workerTimeoutSeconds }),
  })
  const created = app && (await createApp(app, { clients, resources, deletesExpired, endpoints: engines.endpoints }))
  if (created) closing.push(created.undo)
  // Only now: a module may read its variables while it is loaded.
  const worker = await loadWorker(options.workerFile, line => terminal.out(line))
  if (isRefusal(worker)) return worker
  const deliveries = join(dataDir ?? stateDir(options.directory), 'deliveries.log')
  const write = deliveryLog({ file: deliveries, keep: dataDir !== undefined, terminal })
  const secrets = fileSecrets(options.secretsFile, fingerprintKey, now)
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
  const noted = noteEffects(world.work, created?.keyNames ?? new Map(), write)
  const consuming = { ...world, work: noted.work }
  const further = await destinationConsumers(destinations, {
    world: consuming,
    resources,
    clients,
    write: noted.write,
    terminal,
    directory: options.directory,
  })
  if (isRefusal(further)) return further
  const consumers = {
    world: consuming,
    destinations: further,
    worker,
    ...(app && { workerTimeoutSeconds: app.workerTimeoutSeconds }),
    queue: clients.aws.queue,
    resources,
    recoverEvery,
    write: noted.write,
    warn: terminal.err,
  }
  closing.push(openConsumers(consumers).stop)
  const comparing = reconcileRegularly(
    { ...world, http: senderHttp },
    {
      directory: options.directory,
      urlOf: source => listening.url + webhookPath(source),
      apiUrl: options.apiUrl,
      write,
      warn: terminal.err,
    },
  )
  if (comparing) closing.push(comparing.stop)
  // Closed again, and now first: running deliveries and what they put on the queue still have their engines.
  closing.push(listening.close)

  const { url } = listening
  const urls = Object.fromEntries(
    [...sources.values()].map(({ name, publish }) => [name, url + (publish ? publishPath : webhookPath)(name)]),
  )
  const tables = created?.tables ?? {}
  const instance = { ...instanceOf(options, engines), app: { tables }, url, urls, resources, deliveries }
  const page = await openConsole(connectLocal(instance), {
    port: options.consolePort,
    apiUrl: options.apiUrl,
    curl: () => sampleCurl(url, sources, options.secretsFile, now())?.line ?? null,
    warn: terminal.err,
  })
  if (isRefusal(page)) return page
  closing.push(page.close)
  writeInstance(options.directory, { ...instance, console: page.url })
  closing.push(() => removeInstance(options.directory, process.pid))
  return { url, console: page.url, engines, now, tables, notes: created?.notes ?? [] }
}

const instanceOf = (
  { frozenAt, dataDir, sourceFile, secretsFile, workerFile }: LocalOptions,
  { endpoints, dynamodb }: Engines,
) => ({
  pid: process.pid,
  console: null,
  environment: ENVIRONMENT,
  endpoints,
  credentials: credentialsOf(endpoints),
  engine: { kind: dynamodb.kind, pid: dynamodb.pid },
  startedAt: iso(systemClock()),
  now: frozenAt === undefined ? null : iso(frozenAt),
  data: dataDir ?? null,
  sourceFile,
  secretsFile,
  workerFile,
})

/** Which front to be, as the stack's `api` says. */
export type LocalApi = keyof typeof FORMATS

const FORMATS = { http: 'v2', rest: 'v1', url: 'url' } as const

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
    format: FORMATS[api],
    now,
    welcome: origin => [WELCOME, '', ...sourceUrls(origin, sources), ''].join('\n'),
    onError: error => terminal.err(`A delivery failed unexpectedly: ${String(error)}`),
  })
  return listenOn(front, port)
}
