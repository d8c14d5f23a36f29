/** What a stack says of itself when it is deployed, and what the CLI and the console find it by. */
export const OUTPUTS = {
  environment: 'Environment',
  eventsTable: 'EventsTable',
  bodiesTable: 'BodiesTable',
  bodiesBucket: 'BodiesBucket',
  queueUrl: 'QueueUrl',
  deadLettersUrl: 'DeadLettersUrl',
  /** Where a source names an ordering key. */
  orderedQueueUrl: 'OrderedQueueUrl',
  orderedDeadLettersUrl: 'OrderedDeadLettersUrl',
  signingSecrets: 'SigningSecrets',
  fingerprintKey: 'FingerprintKey',
  receiveFunction: 'ReceiveFunction',
  /** Where a source is internal. */
  publishFunction: 'PublishFunction',
  publishLogs: 'PublishLogs',
  workerFunction: 'WorkerFunction',
  buryFunction: 'BuryFunction',
  recoverFunction: 'RecoverFunction',
  operateFunction: 'OperateFunction',
  receiveLogs: 'ReceiveLogs',
  workerLogs: 'WorkerLogs',
  buryLogs: 'BuryLogs',
  recoverLogs: 'RecoverLogs',
  operateLogs: 'OperateLogs',
  /** If routes can lead to several destinations. */
  fanOutLogs: 'FanOutLogs',
  /** Where a source is compared with its sender's list by schedule. */
  reconcileFunction: 'ReconcileFunction',
  reconcileLogs: 'ReconcileLogs',
  /** The secrets for its API keys, as JSON by source. */
  apiKeys: 'ApiKeys',
  /** What it has for destinations, as JSON by name: `DestinationOutput`. */
  destinations: 'Destinations',
  /** What the names of all its alarms begin with. */
  alarmPrefix: 'AlarmPrefix',
  /** `open` or `closed`, with a domain of your own: the address that AWS gave the API. */
  executeApi: 'ExecuteApi',
  /** Behind a function URL: how many run at once at most, or `unreserved`. */
  receiveConcurrency: 'ReceiveConcurrency',
  readPolicy: 'ReadPolicy',
  bodiesPolicy: 'BodiesPolicy',
  replayPolicy: 'ReplayPolicy',
  secretsPolicy: 'SecretsPolicy',
  erasePolicy: 'ErasePolicy',
} as const

/** The name by which the operate function is called to erase: IAM tells it from the function itself. */
export const ERASE_ALIAS = 'erase'

/** Of each destination but the worker. */
export interface DestinationOutput {
  readonly kind: string
  readonly queueUrl: string
  readonly deadLettersUrl: string
  readonly function: string
  readonly logs: string
}

export type OutputName = keyof typeof OUTPUTS

/** CloudFormation allows letters and digits only: the URL of `my-shop` is `UrlMyShop`. */
export const urlOutput = (source: string): string =>
  `Url${source
    .split(/[^A-Za-z0-9]+/)
    .map(part => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')}`

/** Of the output that holds a URL: it says which source, since its name has lost the hyphens. */
export const urlDescription = (source: string): string => `Where ${source} posts to`

export const sourceOfUrl = (description: string | undefined): string | undefined =>
  /^Where (.+) posts to$/.exec(description ?? '')?.[1]
