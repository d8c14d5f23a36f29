import type { Duration } from 'aws-cdk-lib'
import type { Runtime } from 'aws-cdk-lib/aws-lambda'
import type { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import type { Sources } from '../../functions/domain/source.ts'
import type { Api, Domain } from './ingress.ts'
import type { AwsClient } from './receive-function.ts'

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
