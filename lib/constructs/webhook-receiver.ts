import { writeFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { Duration, Names, Stage } from 'aws-cdk-lib'
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam'
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import { Construct } from 'constructs'
import { FAN_OUT_TIMEOUT_SECONDS, WORKER_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import { SEVERAL_NAME } from '../../functions/contract/queues.ts'
import { RECEIVER_METADATA, type ReceiverMetadata } from '../../functions/contract/receiver-metadata.ts'
import { timingOf } from '../../functions/domain/destination-timing.ts'
import { providers } from '../../functions/providers/catalogue.ts'
import { leadsToSeveral } from '../../functions/providers/overlap.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { scheduleMistakes } from '../../functions/senders/check-schedule.ts'
import { Alarms } from './alarms.ts'
import { BodyBucket } from './body-bucket.ts'
import { buryFunction } from './bury-function.ts'
import { Canary } from './canary.ts'
import { Dashboard } from './dashboard.ts'
import { destinationFunction } from './destination-function.ts'
import { letLogsUse } from './encryption.ts'
import { EventTables } from './event-tables.ts'
import { fanOutFunction } from './fan-out-function.ts'
import { Ingress } from './ingress.ts'
import { lifetime } from './lifetime.ts'
import type { FunctionDefaults, Network, NodeFunction } from './node-function.ts'
import { operateFunction } from './operate-function.ts'
import { mappingsOf } from './pausing.ts'
import { Policies } from './policies.ts'
import { throwMistakes } from './prop-rules.ts'
import { publishFunction } from './publish-function.ts'
import { EventQueue } from './queue.ts'
import { receiveFunction } from './receive-function.ts'
import { receiverMistakes, type WebhookReceiverProps, withSchema } from './receiver-props.ts'
import { reconcileFunction } from './reconcile-function.ts'
import { recoverFunction } from './recover-function.ts'
import { Secrets } from './secrets.ts'
import { sourcesModule, withoutProof } from './sources-module.ts'
import type { Stores } from './stores.ts'
import type { Watched } from './watched.ts'
import { type WorkerProps, workerFunction } from './worker-function.ts'

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
  readonly destinationQueues: Readonly<Record<string, EventQueue>>
  /** Of events with several destinations, if the routes can lead to several. */
  readonly several: EventQueue | undefined
  /** Makes the copies of such events. */
  readonly fanOut: LambdaFunction | undefined
  /** The functions of destinations, by name: grant each of them your own tables, tell it your own variables. */
  readonly destinations: Readonly<Record<string, LambdaFunction>>
  readonly receive: NodeFunction
  /** Where a source is internal. */
  readonly publish: NodeFunction | undefined
  /** Your code: grant it your own tables, tell it your own variables. */
  readonly worker: LambdaFunction
  readonly bury: NodeFunction
  readonly recover: NodeFunction
  /** Called by operators, through the CLI and the console. */
  readonly operate: NodeFunction
  /** Where a source is compared with its sender's list by schedule. */
  readonly reconcile: NodeFunction | undefined
  /** The secrets with the API keys for that, by source. */
  readonly apiKeys: Readonly<Record<string, Secret>>
  readonly ingress: Ingress
  /** For the operators: what the CLI and the console need. */
  readonly policies: Policies
  readonly alarms: Alarms
  /** Where each sender posts to. */
  readonly urls: Readonly<Record<string, string>>
  private readonly internal: readonly string[]

  constructor(scope: Construct, id: string, props: WebhookReceiverProps) {
    super(scope, id)
    throwMistakes(receiverMistakes(props))
    const sources = resolveSources(props.sources, providers, props.destinations)
    throwMistakes(scheduleMistakes(sources))
    const keep = lifetime(props.throwAway ?? false)
    const work = workerProps(props)
    const ordered = props.ordered || [...sources.values()].some(({ ordering }) => ordering !== null)
    this.environment = props.environment ?? 'production'
    const { encryptionKey } = props
    if (encryptionKey) letLogsUse(encryptionKey, this)
    this.tables = new EventTables(this, 'Tables', keep, encryptionKey)
    this.bucket = new BodyBucket(this, 'Bodies', { lifetime: keep, runtime: props.runtime, encryptionKey })
    const queues = { lifetime: keep, consumerTimeout: work.timeout, encryptionKey }
    this.queue = new EventQueue(this, 'Events', queues)
    this.ordered = ordered ? new EventQueue(this, 'OrderedEvents', { ...queues, ordered }) : undefined
    this.secrets = new Secrets(this, 'Secrets', keep, encryptionKey)
    const homes = this.homesOf(props)
    this.destinationQueues = mapped(homes, ({ home, destination }) => {
      return new EventQueue(home, 'Events', {
        ...queues,
        consumerTimeout: Duration.seconds(timingOf(destination).timeoutSeconds),
      })
    })

    this.several = [...sources.values()].some(leadsToSeveral)
      ? new EventQueue(this, 'SeveralEvents', {
          ...queues,
          consumerTimeout: Duration.seconds(FAN_OUT_TIMEOUT_SECONDS),
        })
      : undefined

    const domain = props.domain?.name
    const all = { lifetime: keep, runtime: props.runtime, logRetention: props.logRetention, encryptionKey }
    const { memorySize, reservedConcurrency } = props
    const takesSecrets = [...sources.values()].some(({ provider }) => provider.handshake?.offers !== undefined)
    const resolved = this.moduleOf('resolved.mjs', sourcesModule(sources))
    this.receive = receiveFunction(this, this, {
      ...all,
      sources: resolved,
      client: props.client,
      takesSecrets,
      domain,
      memorySize,
      reservedConcurrency,
    })
    this.internal = [...sources.values()].filter(({ publish }) => publish !== null).map(({ name }) => name)
    this.publish =
      this.internal.length > 0
        ? publishFunction(this, this, {
            ...all,
            client: props.client,
            domain,
            sources: moduleWithSchemas(props) ?? this.moduleOf('sources.json', JSON.stringify(props.sources)),
            destinations: this.moduleOf('destinations.json', JSON.stringify(props.destinations ?? {})),
          })
        : undefined
    const behind = { ...all, client: props.consumerClient }
    const network = networkOf(props)
    const worker = workerFunction(this, this, { ...behind, ...work, network, schemas: moduleWithSchemas(props) })
    this.worker = worker.function
    this.destinations = mapped(homes, ({ home, destination }, name) => {
      const queue = this.destinationQueues[name] as EventQueue
      const own = { destination, queue, bound: props.bind?.[name], network, schemas: moduleWithSchemas(props) }
      return destinationFunction(home, name, this, { ...behind, ...own }).function
    })
    this.bury = buryFunction(this, this, { ...behind, tries: props.tries })
    const unproven = this.moduleOf('unproven.mjs', sourcesModule(withoutProof(sources)))
    this.fanOut =
      this.several && fanOutFunction(this, this, { ...behind, sources: unproven, queue: this.several }).function
    const mappings = mappingsOf(
      worker,
      mapped(homes, ({ home }) => home),
    )
    this.recover = recoverFunction(this, this, { ...behind, sources: unproven, mappings })
    this.operate = operateFunction(this, this, { ...behind, mappings, sources: resolved })

    const canary = props.canary ? new Canary(this, 'Canary', this.receive.function) : undefined
    this.ingress = new Ingress(this, 'Ingress', {
      ...props,
      handler: canary?.alias ?? this.receive.function,
      publish: this.publish?.function,
      sources: [...sources.keys()].filter(name => !this.internal.includes(name)),
      lifetime: keep,
    })
    canary?.watch(this.ingress.front)
    this.urls = Object.fromEntries(
      [...sources.values()].map(({ name, publish }) => [
        name,
        publish ? this.ingress.publishUrlOf(name) : this.ingress.urlOf(name),
      ]),
    )
    const scheduled = [...sources.values()].filter(({ reconcile }) => reconcile !== undefined)
    this.apiKeys = Object.fromEntries(scheduled.map(({ name }) => [name, this.secrets.apiKeyOf(name, keep)]))
    this.reconcile =
      scheduled.length > 0
        ? reconcileFunction(this, this, {
            ...behind,
            sources: unproven,
            scheduled,
            apiKeys: this.apiKeys,
            urls: this.urls,
          })
        : undefined
    const functions = [this.receive, this.publish, this.bury, this.recover, this.operate, this.reconcile].flatMap(
      each => each?.function ?? [],
    )
    const logs = [
      ...functions,
      ...(this.fanOut ? [this.fanOut] : []),
      this.worker,
      ...Object.values(this.destinations),
    ].map(({ logGroup }) => logGroup)
    this.policies = new Policies(this, 'Policies', {
      stores: this,
      operate: this.operate.function,
      apiKeys: Object.values(this.apiKeys),
      logs,
    })
    const watched = this.watched()
    this.alarms = new Alarms(this, 'Alarms', { watched, sources: [...sources.values()], topic: props.alarmTopic })
    if (props.dashboard) new Dashboard(this, 'Dashboard', watched)
    this.node.addMetadata(RECEIVER_METADATA, metadataOf(props))
  }

  /** Lets a principal of this account, or of another that names it, publish to one internal source, or to each of them. */
  grantPublish(grantee: IGrantable, source?: string): Grant {
    const named = source === undefined ? this.internal : this.internal.filter(each => each === source)
    if (named.length === 0) {
      throw new Error(
        `grantPublish: found ${source ?? 'nothing'}, expected an internal source: ${this.internal.join(', ') || 'there is none'}`,
      )
    }
    const { grantPublish } = this.ingress.front
    if (grantPublish !== undefined) {
      if (named.length < this.internal.length) {
        throw new Error(
          `grantPublish: found ${source}, expected no source, because a function URL has one permission for all of ${this.internal.join(', ')}`,
        )
      }
      return grantPublish(grantee)
    }
    return Grant.addToPrincipal({
      grantee,
      actions: ['execute-api:Invoke'],
      resourceArns: named.flatMap(each => this.ingress.publishArnsOf(each)),
    })
  }

  /** A construct for each destination, and none if there is none. */
  private homesOf({ destinations = {} }: WebhookReceiverProps) {
    if (Object.keys(destinations).length === 0) return {}
    const all = new Construct(this, 'Destinations')
    return mapped(destinations, (destination, name) => ({ destination, home: new Construct(all, name) }))
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
    const destinations = mapped(this.destinationQueues, (each, name) => ({
      queue: each,
      function: this.destinations[name] as LambdaFunction,
    }))
    const several = this.several && this.fanOut && { [SEVERAL_NAME]: { queue: this.several, function: this.fanOut } }
    return {
      environment,
      front: ingress.front,
      ...functions,
      queue,
      ordered,
      destinations: { ...destinations, ...several },
    }
  }

  private moduleOf(kind: 'resolved.mjs' | 'unproven.mjs' | 'sources.json' | 'destinations.json', text: string): string {
    const file = resolve(Stage.of(this)?.outdir ?? '.', `${Names.uniqueResourceName(this, {})}.${kind}`)
    writeFileSync(file, text)
    return file
  }
}

const mapped = <Value, Made>(
  values: Readonly<Record<string, Value>>,
  make: (value: Value, name: string) => Made,
): Readonly<Record<string, Made>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, make(value, name)]))

/** The module itself, if there is code in it. */
const moduleWithSchemas = ({ sources, sourcesModule }: WebhookReceiverProps): string | undefined =>
  withSchema(sources).length > 0 && sourcesModule !== undefined ? resolve(sourcesModule) : undefined

const metadataOf = ({ worker, sourcesModule, sources, destinations }: WebhookReceiverProps): ReceiverMetadata => ({
  ...(worker !== undefined && { worker: fromHere(worker) }),
  ...(sourcesModule !== undefined && { sourcesModule: fromHere(sourcesModule) }),
  sources: Object.fromEntries(Object.entries(sources).map(([name, { schema: _code, ...data }]) => [name, data])),
  ...(destinations !== undefined && { destinations }),
})

/** The same on every machine. */
const fromHere = (file: string): string => relative(resolve('.'), resolve(file))

const networkOf = ({ vpc, vpcSubnets, securityGroups }: WebhookReceiverProps): Network | undefined =>
  vpc && { vpc, ...(vpcSubnets && { vpcSubnets }), ...(securityGroups && { securityGroups }) }

const workerProps = (props: WebhookReceiverProps): Omit<WorkerProps, keyof FunctionDefaults> => ({
  entry: props.worker,
  timeout: props.workerTimeout ?? Duration.seconds(WORKER_TIMEOUT_SECONDS),
  maxConcurrency: props.workerMaxConcurrency,
  memorySize: props.workerMemorySize,
  tries: props.tries,
})
