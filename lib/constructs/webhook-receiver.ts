import { writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Duration, Names, Stage, Validations } from 'aws-cdk-lib'
import type { Runtime } from 'aws-cdk-lib/aws-lambda'
import type { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { Construct } from 'constructs'
import { ENVIRONMENT } from '../../functions/contract/environment.ts'
import { RECEIVE_TIMEOUT_SECONDS } from '../../functions/contract/limits.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { Alarms } from './alarms.ts'
import { BodyBucket } from './body-bucket.ts'
import { Dashboard } from './dashboard.ts'
import { EventTables } from './event-tables.ts'
import { type Api, Ingress } from './ingress.ts'
import { lifetime } from './lifetime.ts'
import { NodeFunction } from './node-function.ts'
import { Policies } from './policies.ts'
import { EventQueue } from './queue.ts'
import { Secrets } from './secrets.ts'

export interface WebhookReceiverProps {
  /** The endpoints. Checked as a whole: every mistake stops the synth. What is checked is what the function gets. */
  readonly sources: Sources
  /** Part of every event's identity: to change it is to forget every event. @default 'production' */
  readonly environment?: string | undefined
  /** `'rest'` for a WAF in front, or for an emulator without HTTP APIs. @default 'http' */
  readonly api?: Api | undefined
  /** The stack can be deleted, and takes all its data with it. @default false - data is retained and protected */
  readonly throwAway?: boolean | undefined
  /** Told when an alarm starts and ends. @default - the alarms change their state and tell nobody */
  readonly alarmTopic?: ITopic | undefined
  /** Over all sources, sustained; twice as many in a burst. More is answered 429. @default 1000 */
  readonly requestsPerSecond?: number | undefined
  /** Keeps that many Lambda environments for the receiver, and allows no more. @default - the account's unreserved concurrency */
  readonly reservedConcurrency?: number | undefined
  /** In MB. @default 512 */
  readonly memorySize?: number | undefined
  /** Of every function in here. @default Runtime.NODEJS_24_X */
  readonly runtime?: Runtime | undefined
  /** Of the function's log and of the access log. @default RetentionDays.ONE_MONTH */
  readonly logRetention?: RetentionDays | undefined
}

/**
 * A webhook receiver: verifies every delivery, lets each event through once, puts it on `queue`.
 *
 * The ids of the constructs in here are a contract: another id is another table.
 */
export class WebhookReceiver extends Construct {
  readonly environment: string
  readonly tables: EventTables
  readonly bucket: BodyBucket
  readonly queue: EventQueue
  readonly secrets: Secrets
  readonly receive: NodeFunction
  readonly ingress: Ingress
  /** For the operators: what the CLI and the console need. */
  readonly policies: Policies
  /** Where each sender posts to. */
  readonly urls: Readonly<Record<string, string>>

  constructor(scope: Construct, id: string, props: WebhookReceiverProps) {
    super(scope, id)
    const sources = [...resolveSources(props.sources).keys()]
    const keep = lifetime(props.throwAway ?? false)
    this.environment = props.environment ?? 'production'
    this.tables = new EventTables(this, 'Tables', keep)
    this.bucket = new BodyBucket(this, 'Bodies', keep, props.runtime)
    this.queue = new EventQueue(this, 'Events', keep)
    this.secrets = new Secrets(this, 'Secrets', keep)
    this.receive = new NodeFunction(this, 'Receive', {
      description: 'Hooklatch: verifies, claims and queues deliveries',
      entry: 'functions/receive/handler.ts',
      aliases: { '#sources': this.sourcesModule(props.sources) },
      timeout: Duration.seconds(RECEIVE_TIMEOUT_SECONDS),
      environment: this.variables(),
      lifetime: keep,
      memorySize: props.memorySize,
      runtime: props.runtime,
      logRetention: props.logRetention,
      reservedConcurrency: props.reservedConcurrency,
    })
    Validations.of(this.receive).acknowledge({
      id: 'Serverless-LambdaDLQ',
      reason: 'It is only called synchronously: a failed delivery is the sender’s to repeat, and counted as an error.',
    })
    this.grantReceive()

    this.ingress = new Ingress(this, 'Ingress', {
      handler: this.receive.function,
      lifetime: keep,
      api: props.api,
      requestsPerSecond: props.requestsPerSecond,
      logRetention: props.logRetention,
    })
    this.urls = Object.fromEntries(sources.map(source => [source, this.ingress.urlOf(source)]))
    this.policies = new Policies(this, 'Policies', this)
    const seen = { front: this.ingress.front, receive: this.receive.function, queue: this.queue }
    new Alarms(this, 'Alarms', { ...seen, sources, topic: props.alarmTopic })
    new Dashboard(this, 'Dashboard', seen)
  }

  private grantReceive(): void {
    const { role } = this.receive
    this.tables.grantReceive(role)
    this.bucket.grantWrite(role)
    this.queue.grantSend(role)
    this.secrets.grantRead(role)
  }

  private variables(): Record<string, string> {
    const values = {
      environment: this.environment,
      eventsTable: this.tables.events.tableName,
      bodiesTable: this.tables.bodies.tableName,
      bodiesBucket: this.bucket.bucket.bucketName,
      queueUrl: this.queue.queue.queueUrl,
      signingSecrets: this.secrets.signing.secretArn,
      fingerprintKey: this.secrets.fingerprintKey.secretArn,
    } satisfies Record<keyof typeof ENVIRONMENT, string>
    return Object.fromEntries(
      Object.entries(values).map(([key, value]) => [ENVIRONMENT[key as keyof typeof values], value]),
    )
  }

  /** The sources as a module of the bundle: plain data, so JSON says the same, and nobody can bundle what was not checked. */
  private sourcesModule(sources: Sources): string {
    const file = resolve(Stage.of(this)?.outdir ?? '.', `${Names.uniqueResourceName(this, {})}.sources.json`)
    writeFileSync(file, JSON.stringify(sources))
    return file
  }
}
