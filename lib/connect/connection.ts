import type { CloudWatchClient } from '@aws-sdk/client-cloudwatch'
import type { CloudWatchLogsClient } from '@aws-sdk/client-cloudwatch-logs'
import type { SQSClient } from '@aws-sdk/client-sqs'
import type { EVERY_STORE } from '../../functions/adapters/every-store.ts'
import type { AwsCalls } from '../../functions/adapters/wire/aws-calls.ts'
import type { OutputName } from '../../functions/contract/outputs.ts'
import type { Clock } from '../../functions/domain/ports.ts'
import type { World } from '../../functions/domain/world.ts'
import type { SecretsAdmin } from '../operator/secrets-admin.ts'
import type { Instance } from './instance.ts'
import type { Ask } from './operate-function.ts'

/** Which deployment is meant. All absent: the stack of HOOKLATCH_STACK, else the local instance. */
export interface Target {
  readonly stack?: string
  readonly profile?: string
  readonly region?: string
}

/** A deployment that an operator speaks to: the local instance in this directory, or a stack in AWS (or in an emulator of it). */
export type Connection = LocalConnection | AwsConnection

/** All that a deployment holds, its secrets aside. */
export type Stores = World<keyof typeof EVERY_STORE>

interface AnyConnection {
  /** For people: `local`, or the name of the stack. */
  readonly name: string
  /** Part of every fingerprint and metric. */
  readonly environment: string
  readonly stores: Stores
  readonly secrets: SecretsAdmin
  readonly resources: OperatorResources
  readonly aws: AwsCalls
  /** Where a source is posted to; `undefined` when it is not deployed. */
  readonly urlOf: (source: string) => string | undefined
  /** The file that says what the sources are. */
  readonly sourceFile: string
  readonly now: Clock
  /** Who acts, for the record: the ARN of the AWS caller, the user of the laptop. Asked for only when needed. */
  readonly actor: () => Promise<string>
}

export interface LocalConnection extends AnyConnection {
  readonly kind: 'local'
  /** Its `deliveries` is the file with the functions' own lines. */
  readonly instance: Instance
}

export interface AwsConnection extends AnyConnection {
  readonly kind: 'aws'
  readonly region: string
  readonly account: string
  /** As deployed, with their URLs. */
  readonly urls: ReadonlyMap<string, string>
  /** What an older stack does not say of itself is absent. */
  readonly outputs: Readonly<Partial<Record<OutputName, string>>>
  /** Sets the API key that the scheduled reconciler reads for a source; undefined if the stack keeps none for it. Whoever sets one cannot read it. */
  readonly apiKeySetter: (source: string) => ((key: string) => Promise<void>) | undefined
  /** Has the stack's operate function do what only it may. */
  readonly ask: Ask
  readonly cloud: {
    /** For what no call of ours tells: how far the queue's clock is from ours. */
    readonly sqs: SQSClient
    readonly cloudwatch: CloudWatchClient
    /** The functions' own lines are in the groups `outputs.receiveLogs`, `workerLogs` and so on. */
    readonly logs: CloudWatchLogsClient
  }
}

export interface OperatorResources {
  readonly eventsTable: string
  readonly bodiesTable: string
  readonly bodiesBucket: string
  readonly queueUrl: string
  readonly deadLettersUrl: string
  /** Absent where no source names an ordering key. */
  readonly orderedQueueUrl?: string | undefined
  readonly orderedDeadLettersUrl?: string | undefined
}
