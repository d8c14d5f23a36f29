import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Duration, Names, Stage } from 'aws-cdk-lib'
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda'
import type { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { WORKER_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { Alarms } from './alarms.ts'
import { BodyBucket } from './body-bucket.ts'
import { buryFunction } from './bury-function.ts'
import { Canary } from './canary.ts'
import { Dashboard } from './dashboard.ts'
import { EventTables } from './event-tables.ts'
import { type Api, type Domain, Ingress } from './ingress.ts'
import { lifetime } from './lifetime.ts'
import type { FunctionDefaults, NodeFunction } from './node-function.ts'
import { Policies } from './policies.ts'
import { publishFunction } from './publish-function.ts'
import { EventQueue } from './queue.ts'
import { type AwsClient, receiveFunction } from './receive-function.ts'
import { recoverFunction } from './recover-function.ts'
import { Secrets } from './secrets.ts'
import { sourcesModule } from './sources-module.ts'
import type { Stores } from './stores.ts'
import type { Watched } from './watched.ts'
import { type WorkerProps, workerFunction } from './worker-function.ts'

export interface WebhookReceiverProps {
  /** The endpoints. Checked as a whole: every mistake stops the synth. What is checked is what the functions get. */
  readonly sources: Sources
  /**
   * Path of the module that exports these sources by default: needed where one has a `schema`, since that is code and has to be
   * bundled. @default - the sources are plain data
   */
  readonly sourcesModule?: string | undefined
  /** Part of every event's identity: to change it is to forget every event. @default 'production' */
  readonly environment?: string | undefined
  /** Path of your module that exports `handler = consume(...)`. @default - the sample in functions/worker, which logs each event */
  readonly worker?: string | undefined
  /** For up to ten events at once. A message that failed comes back after six times as long. @default Duration.seconds(5) */
  readonly workerTimeout?: Duration | undefined
  /** Calls of the worker at once, from 2 to 1,000, for each queue: what it takes, deliveries cannot have. @default 10 */
  readonly workerMaxConcurrency?: number | undefined
  /** In MB. @default 512 */
  readonly workerMemorySize?: number | undefined
  /**
   * `true` keeps the FIFO queue, and the worker behind it, when no source names an ordering key any more: until it is
   * empty. @default - there is one when a source names an ordering key
   */
  readonly ordered?: boolean | undefined
  /** `'rest'` for a WAF in front, or for an emulator without HTTP APIs. @default 'http' */
  readonly api?: Api | undefined
  /** Yours, in place of the API's own: `ingress.front.domain` is what its DNS record points to. @default - the API's own */
  readonly domain?: Domain | undefined
  /**
   * A new version of the receive function gets a tenth of the deliveries for five minutes; if it crashes, or answers 5xx, the
   * old one comes back and the deployment fails. @default false - all of them at once
   */
  readonly canary?: boolean | undefined
  /** The stack can be deleted, and takes all its data with it. @default false - data is retained and protected */
  readonly throwAway?: boolean | undefined
  /** Told when an alarm starts and ends. @default - the alarms change their state and tell nobody */
  readonly alarmTopic?: ITopic | undefined
  /** Over all sources, sustained; twice as many in a burst. More is answered 429. @default 1000 */
  readonly requestsPerSecond?: number | undefined
  /** Keeps that many Lambda environments for the receiver, and allows no more. @default - the account's unreserved concurrency */
  readonly reservedConcurrency?: number | undefined
  /** Of the receive function, in MB. @default 512 */
  readonly memorySize?: number | undefined
  /** How the receive and publish functions call AWS: `'sdk'` is six times the code and three times the CPU. @default 'lean' */
  readonly client?: AwsClient | undefined
  /** Of every function in here. @default Runtime.NODEJS_24_X */
  readonly runtime?: Runtime | undefined
  /** Of the functions' logs and of the access log. @default RetentionDays.ONE_MONTH */
  readonly logRetention?: RetentionDays | undefined
}

/**
 * A webhook receiver: verifies every delivery, lets each event through once, puts it on `queue`, hands it to `worker`.
 *
 * The ids of the constructs in here are a contract: another id is another table.
 */
export class WebhookReceiver extends Construct implements Stores {
  readonly environment: string
  readonly tables: EventTables
  readonly bucket: BodyBucket
  readonly queue: EventQueue
  readonly ordered: EventQueue | undefined
  readonly secrets: Secrets
  readonly receive: NodeFunction
  /** Where a source is internal. */
  readonly publish: NodeFunction | undefined
  /** Your code: grant it your own tables, tell it your own variables. */
  readonly worker: LambdaFunction
  readonly bury: NodeFunction
  readonly recover: NodeFunction
  readonly ingress: Ingress
  /** For the operators: what the CLI and the console need. */
  readonly policies: Policies
  readonly alarms: Alarms
  /** Where each sender posts to. */
  readonly urls: Readonly<Record<string, string>>
  private readonly internal: readonly string[]

  constructor(scope: Construct, id: string, props: WebhookReceiverProps) {
    super(scope, id)
    const sources = resolveSources(props.sources)
    const keep = lifetime(props.throwAway ?? false)
    const work = workerProps(props)
    const ordered = props.ordered || [...sources.values()].some(({ ordering }) => ordering !== null)
    this.environment = props.environment ?? 'production'
    this.tables = new EventTables(this, 'Tables', keep)
    this.bucket = new BodyBucket(this, 'Bodies', keep, props.runtime)
    const queues = { lifetime: keep, consumerTimeout: work.timeout }
    this.queue = new EventQueue(this, 'Events', queues)
    this.ordered = ordered ? new EventQueue(this, 'OrderedEvents', { ...queues, ordered }) : undefined
    this.secrets = new Secrets(this, 'Secrets', keep)

    const all = { lifetime: keep, runtime: props.runtime, logRetention: props.logRetention }
    const module = this.moduleOf('resolved.mjs', sourcesModule(sources))
    const { memorySize, reservedConcurrency } = props
    const takesSecrets = [...sources.values()].some(({ provider }) => provider.handshake?.offers !== undefined)
    this.receive = receiveFunction(this, this, {
      ...all,
      sources: module,
      client: props.client,
      takesSecrets,
      memorySize,
      reservedConcurrency,
    })
    this.internal = [...sources.values()].filter(({ publish }) => publish !== null).map(({ name }) => name)
    this.publish =
      this.internal.length > 0
        ? publishFunction(this, this, {
            ...all,
            client: props.client,
            sources: withSchemas(props) ?? this.moduleOf('sources.json', JSON.stringify(props.sources)),
          })
        : undefined
    this.worker = workerFunction(this, this, { ...all, ...work }).function
    this.bury = buryFunction(this, this, all)
    this.recover = recoverFunction(this, this, { ...all, sources: module })

    const canary = props.canary ? new Canary(this, 'Canary', this.receive.function) : undefined
    this.ingress = new Ingress(this, 'Ingress', {
      handler: canary?.alias ?? this.receive.function,
      domain: props.domain,
      publish: this.publish?.function,
      lifetime: keep,
      api: props.api,
      requestsPerSecond: props.requestsPerSecond,
      logRetention: props.logRetention,
    })
    canary?.watch(this.ingress.front)
    this.urls = Object.fromEntries(
      [...sources.values()].map(({ name, publish }) => [
        name,
        publish ? this.ingress.publishUrlOf(name) : this.ingress.urlOf(name),
      ]),
    )
    const functions = [this.receive, this.publish, this.bury, this.recover].flatMap(each => each?.function ?? [])
    const logs = [...functions, this.worker].map(({ logGroup }) => logGroup)
    this.policies = new Policies(this, 'Policies', { stores: this, logs })
    const watched = this.watched()
    this.alarms = new Alarms(this, 'Alarms', { watched, sources: [...sources.keys()], topic: props.alarmTopic })
    new Dashboard(this, 'Dashboard', watched)
  }

  /** Lets a principal of this account, or of another that names it, publish to one internal source, or to each of them. */
  grantPublish(grantee: IGrantable, source?: string): Grant {
    const named = source === undefined ? this.internal : this.internal.filter(each => each === source)
    if (named.length === 0) {
      throw new Error(
        `grantPublish: found ${source ?? 'nothing'}, expected an internal source: ${this.internal.join(', ') || 'there is none'}`,
      )
    }
    return Grant.addToPrincipal({
      grantee,
      actions: ['execute-api:Invoke'],
      resourceArns: named.flatMap(each => this.ingress.publishArnsOf(each)),
    })
  }

  private watched(): Watched {
    const { environment, ingress, receive, publish, worker, bury, recover, queue, ordered } = this
    const functions = {
      receive: receive.function,
      publish: publish?.function,
      worker,
      bury: bury.function,
      recover: recover.function,
    }
    return { environment, front: ingress.front, ...functions, queue, ordered }
  }

  private moduleOf(kind: 'resolved.mjs' | 'sources.json', text: string): string {
    const file = resolve(Stage.of(this)?.outdir ?? '.', `${Names.uniqueResourceName(this, {})}.${kind}`)
    writeFileSync(file, text)
    return file
  }
}

/** The module itself, where there is code in it. */
const withSchemas = ({ sources, sourcesModule }: WebhookReceiverProps): string | undefined => {
  const named = Object.keys(sources).filter(name => sources[name]?.schema !== undefined)
  if (named.length === 0) return undefined
  if (sourcesModule !== undefined) return resolve(sourcesModule)
  throw new Error(
    `sourcesModule: found nothing, expected the path of the module that exports these sources, since ${named.join(', ')} has a schema`,
  )
}

const workerProps = (props: WebhookReceiverProps): Omit<WorkerProps, keyof FunctionDefaults> => ({
  entry: props.worker,
  timeout: props.workerTimeout ?? Duration.seconds(WORKER_TIMEOUT_SECONDS),
  maxConcurrency: props.workerMaxConcurrency,
  memorySize: props.workerMemorySize,
})
