import { dirname, join, resolve } from 'node:path'
import { type Duration, Token } from 'aws-cdk-lib'
import type { ISecurityGroup, IVpc, SubnetSelection } from 'aws-cdk-lib/aws-ec2'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import { type Runtime, RuntimeFamily } from 'aws-cdk-lib/aws-lambda'
import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { ITopic } from 'aws-cdk-lib/aws-sns'
import { WORKER_TIMEOUT_LEAST_SECONDS } from '../../functions/contract/limits.ts'
import type { Destinations } from '../../functions/domain/destinations.ts'
import type { Sources } from '../../functions/domain/source.ts'
import { providers } from '../../functions/providers/catalogue.ts'
import { validateSources } from '../../functions/providers/sources.ts'
import { namesTwice } from '../source-text/names-twice.ts'
import type { AwsClient } from './bundle-settings.ts'
import type { Bound } from './destination-target.ts'
import type { Api, Domain } from './front.ts'
import {
  existingModule,
  has,
  isDuration,
  mistakesOf,
  oneOf,
  type PropRule,
  type PropRules,
  wholeNumber,
  yesOrNo,
} from './prop-rules.ts'

export interface WebhookReceiverProps {
  /** The endpoints. Checked as a whole: every mistake stops the synth. What is checked is what the functions get. */
  readonly sources: Sources
  /**
   * Path of the module that exports these sources by default: needed where one has a `schema`, since that is code and has to be
   * bundled. @default - the sources are plain data
   */
  readonly sourcesModule?: string | undefined
  /** Where routes may lead to besides `worker`. @default - everything goes to `worker` */
  readonly destinations?: Destinations | undefined
  /** Queues and buses of the app's own, by the name of the destination that hands over to them. @default - as named in `destinations` */
  readonly bind?: Readonly<Record<string, Bound>> | undefined
  /** Part of every event's identity: to change it is to forget every event. @default 'production' */
  readonly environment?: string | undefined
  /** Path of your module that exports `handler = consume(...)`. @default - the sample in functions/worker, which logs each event */
  readonly worker?: string | undefined
  /** For up to ten events at once, 2 seconds or more. @default Duration.seconds(5) */
  readonly workerTimeout?: Duration | undefined
  /** Calls of the worker at once, from 2 to 1,000, for each queue: what it takes, deliveries cannot have. @default 10 */
  readonly workerMaxConcurrency?: number | undefined
  /**
   * How often the worker is called with one event, from 1 to 60, before it fails. After a failure it waits 30 seconds, and twice as long
   * after each further one, up to 4 hours; from the FIFO queue up to 15 minutes. An outage is not a try.
   * @default 16, which takes 28 hours, and 8 from the FIFO queue
   */
  readonly tries?: number | undefined
  /** In MB. @default 512 */
  readonly workerMemorySize?: number | undefined
  /**
   * `true` keeps the FIFO queue, and the worker behind it, when no source names an ordering key any more: until it is
   * empty. @default - there is one when a source names an ordering key
   */
  readonly ordered?: boolean | undefined
  /**
   * `'rest'` for a WAF in front, or for an emulator without HTTP APIs. `'url'` for a function URL: $1.00 less for a million
   * deliveries, and nothing but `reservedConcurrency` holds a flood back. @default 'http'
   */
  readonly api?: Api | undefined
  /** Yours, in place of the API's own: `ingress.front.domain` is what its DNS record points to. @default - the API's own */
  readonly domain?: Domain | undefined
  /**
   * Closes the address that AWS gave the API (`https://<id>.execute-api.<region>.amazonaws.com`), so only the `domain` answers.
   * `hooklatch doctor` counts the deliveries that still come there. @default false
   */
  readonly disableExecuteApiEndpoint?: boolean | undefined
  /**
   * A new version of the receive function gets a tenth of the deliveries for five minutes; if it crashes, or answers 5xx, the
   * old one comes back and the deployment fails. @default false - all of them at once
   */
  readonly canary?: boolean | undefined
  /** A CloudWatch dashboard, $3 a month beyond the first three of an account. @default false: the console and `hooklatch stats` show the same */
  readonly dashboard?: boolean | undefined
  /** The stack can be deleted, and takes all its data with it. @default false - data is retained and protected */
  readonly throwAway?: boolean | undefined
  /** Told when an alarm starts and ends. @default - the alarms change their state and tell nobody */
  readonly alarmTopic?: ITopic | undefined
  /**
   * Of each source, sustained; twice as many in a burst. More is answered 429. Names that are no source share one such
   * limit. @default 1000
   */
  readonly requestsPerSecond?: number | undefined
  /** Keeps that many Lambda environments for the receiver, and allows no more. @default - the account's unreserved concurrency */
  readonly reservedConcurrency?: number | undefined
  /** Of the receive function, in MB. @default 512 */
  readonly memorySize?: number | undefined
  /** How the receive and publish functions call AWS: `'sdk'` is six times the code and three times the CPU. @default 'lean' */
  readonly client?: AwsClient | undefined
  /** The same for the functions behind the queue; your own code may import the SDK either way. @default 'lean' */
  readonly consumerClient?: AwsClient | undefined
  /** Of every function in here. @default Runtime.NODEJS_24_X */
  readonly runtime?: Runtime | undefined
  /** Of the functions' logs and of the access log. @default RetentionDays.ONE_MONTH */
  readonly logRetention?: RetentionDays | undefined
  /**
   * Yours, of KMS, symmetric and in the region of the stack: for tables, queues, bucket, secrets and logs. It can be set on a stack that
   * runs, and replaces nothing. Never delete it: nothing could be read any more. @default - keys that AWS owns
   */
  readonly encryptionKey?: IKey | undefined
  /**
   * Where the worker runs, and with it each destination that has a worker or posts to private addresses. It has to reach DynamoDB, SQS,
   * S3 and Secrets Manager from there: by endpoints or a NAT gateway. @default - Lambda's own network
   */
  readonly vpc?: IVpc | undefined
  /** @default - the private subnets of `vpc` */
  readonly vpcSubnets?: SubnetSelection | undefined
  /** @default - a new one for each function, which lets everything out and nothing in */
  readonly securityGroups?: ISecurityGroup[] | undefined
}

/** Every mistake in the sources, the destinations and the other props. */
export const receiverMistakes = (props: WebhookReceiverProps): readonly string[] => [
  ...validateSources(props.sources, providers, props.destinations),
  ...missingWorkers(props.destinations ?? {}),
  ...namesTwice(filesOf(props)),
  ...mistakesOf(RECEIVER_RULES, props),
]

/** Where an app has them by convention. */
const filesOf = ({ sourcesModule }: WebhookReceiverProps): readonly string[] => {
  const sources = resolve(typeof sourcesModule === 'string' ? sourcesModule : 'sources.ts')
  return [sources, join(dirname(sources), 'destinations.ts')]
}

const missingWorkers = (destinations: Destinations): readonly string[] =>
  Object.entries(Object(destinations) as Destinations).flatMap(([name, destination]) =>
    mistakesOf({ worker: [existingModule] }, Object(destination), `destination "${name}".`),
  )

/** The names of the sources whose schema has to be bundled. */
export const withSchema = (sources: unknown): readonly string[] =>
  Object.entries(Object(sources) as Partial<Sources>)
    .filter(([, source]) => source?.schema !== undefined)
    .map(([name]) => name)

const LAMBDA_MEMORY = wholeNumber(128, 10_240)

/** The functions use zstd, which Node has from version 22.15 on. */
export const OLDEST_NODE = 22

const isRuntime = (value: unknown): boolean => {
  const { name, family } = Object(value) as Partial<Runtime>
  return family === RuntimeFamily.NODEJS && (Token.isUnresolved(name) || isNode(name))
}

export const isNode = (name: unknown): boolean =>
  typeof name === 'string' && Number(/^nodejs(\d+)\.x$/.exec(name)?.[1] ?? 0) >= OLDEST_NODE

const notWithUrl: PropRule['holds'] = (_, { api }) => api !== 'url'

const inVpc: PropRule = {
  expected: 'a vpc beside it, because there is none to be in',
  holds: (_, { vpc }) => vpc !== undefined,
  takesNoToken: true,
}

const isTimeout = (value: unknown): boolean => {
  if (!isDuration(value) || value.isUnresolved()) return false
  const milliseconds = value.toMilliseconds()
  return milliseconds % 1000 === 0 && milliseconds >= WORKER_TIMEOUT_LEAST_SECONDS * 1000 && milliseconds <= 900_000
}

const fits = (destination: object, bound: object): boolean =>
  ('queue' in destination && 'queueArn' in bound) || ('bus' in destination && 'eventBusArn' in bound)

/** What each prop may be: a new one does not compile without its rules. The sources have rules of their own. */
export const RECEIVER_RULES = {
  sourcesModule: [
    existingModule,
    {
      expected: ({ sources }) =>
        `the path of the module that exports these sources, since ${withSchema(sources).join(', ')} has a schema`,
      holds: (value, { sources }) => value !== undefined || withSchema(sources).length === 0,
      asksMissing: true,
    },
  ],
  bind: [
    {
      expected:
        'an SQS queue for each destination with `queue` that it names, an EventBridge bus for each with `bus`, and no other name',
      holds: (value, { destinations }) =>
        Object.entries(Object(value)).every(([name, bound]) => fits(Object(Object(destinations)[name]), Object(bound))),
      takesNoToken: true,
    },
  ],
  environment: [
    {
      // It is a dimension of the metrics, which CloudWatch takes in these characters only.
      expected: 'a text of 1 to 64 characters without spaces, of ASCII, that does not begin with a colon',
      holds: value => typeof value === 'string' && /^(?!:)[!-~]{1,64}$/.test(value),
    },
  ],
  worker: [existingModule],
  workerTimeout: [
    {
      // The queue hides a message six times as long.
      expected: `a Duration of whole seconds, from ${WORKER_TIMEOUT_LEAST_SECONDS} seconds (it reports in its last one) to 15 minutes, that is known at synth`,
      holds: isTimeout,
      takesNoToken: true,
    },
  ],
  workerMaxConcurrency: [wholeNumber(2, 1_000)],
  // Sixty take ten days, and a message that is 12 days old fails.
  tries: [wholeNumber(1, 60)],
  workerMemorySize: [LAMBDA_MEMORY],
  ordered: [yesOrNo],
  api: [oneOf('http', 'rest', 'url')],
  domain: [
    {
      field: 'name',
      expected: 'a domain name in lower case, without a wildcard, such as hooks.example.com',
      holds: value =>
        typeof value === 'string' &&
        value.length <= 253 &&
        /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/.test(value),
    },
    { field: 'certificate', ...has('certificateArn', 'a certificate of ACM') },
    { expected: "nothing, because a function URL takes no domain: api: 'http' does", holds: notWithUrl },
  ],
  disableExecuteApiEndpoint: [
    yesOrNo,
    {
      expected: 'a domain beside it, because nobody could reach the API without one',
      holds: (value, { domain }) => value !== true || domain !== undefined,
    },
  ],
  canary: [yesOrNo],
  dashboard: [yesOrNo],
  throwAway: [yesOrNo],
  alarmTopic: [has('topicArn', 'an SNS topic')],
  // Twice the number is the burst.
  requestsPerSecond: [
    { ...wholeNumber(1), takesNoToken: true },
    { expected: 'nothing, because a function URL has no throttle: reservedConcurrency bounds it', holds: notWithUrl },
  ],
  reservedConcurrency: [wholeNumber(0)],
  memorySize: [LAMBDA_MEMORY],
  client: [oneOf('lean', 'sdk')],
  consumerClient: [oneOf('lean', 'sdk')],
  runtime: [{ expected: `a Runtime of Node.js ${OLDEST_NODE} or newer`, holds: isRuntime, takesNoToken: true }],
  logRetention: [
    {
      expected: 'one of RetentionDays, since CloudWatch takes no other numbers of days',
      holds: value => typeof value === 'number' && RetentionDays[value] !== undefined,
    },
  ],
  encryptionKey: [has('keyArn', 'a key of KMS')],
  vpc: [has('vpcId', 'a VPC')],
  vpcSubnets: [inVpc],
  securityGroups: [
    {
      expected: 'a list of security groups',
      holds: value =>
        Array.isArray(value) && value.length > 0 && value.every(each => 'securityGroupId' in Object(each)),
      takesNoToken: true,
    },
    inVpc,
  ],
} satisfies PropRules<Exclude<keyof WebhookReceiverProps, 'sources' | 'destinations'>>
