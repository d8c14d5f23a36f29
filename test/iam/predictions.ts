import { type Refusal, refuse } from '../../lib/connect/refusal.ts'

/** What fails if a statement is taken away. */
export interface Prediction {
  readonly caller: Caller
  /** One of the statement's actions. */
  readonly action: string
  /** Part of its resource, if several statements have the action. */
  readonly on?: string
  /** Of what the probe of the function tries; empty if nothing does. */
  readonly fails: readonly string[]
}

export type Caller = keyof typeof EVERYTHING

/** A bulk replay, by where its events go. */
const MANY = ['many: billing', 'many: crm', 'many: all', 'many: several'] as const

/** What recovery sends to other functions than the worker. */
const TO_DESTINATIONS = ['to billing', 'to crm', 'to all', 'to several'] as const

/** What the probes try. */
const EVERYTHING = {
  Receive: ['stripe', 'github', 'large', 'ordered', 'billing', 'crm', 'all', 'several'],
  Publish: ['order'],
  Worker: ['plain', 'refused', 'large and refused', 'by pointer'],
  DestinationsbillingHandler: ['plain', 'refused', 'large and refused', 'by pointer'],
  DestinationscrmHandler: ['plain', 'by pointer'],
  DestinationsallHandler: ['plain', 'by pointer'],
  FanOut: ['plain', 'by pointer'],
  Bury: ['small', 'large'],
  Operate: [
    ...['replay', 'queued at once', 'replay, large', ...MANY, 'pause', 'resume', 'accept', 'erase', 'erase, large'],
  ],
  Recover: ['to worker', 'large', ...TO_DESTINATIONS, 'resumed', 'left behind'],
  Reconcile: ['small', 'large'],
} as const

/** Of `--only`, where a destination is named as in destinations.ts. */
export const readCallers = (text: string): readonly string[] | Refusal => {
  const known = ['Operators', ...Object.keys(EVERYTHING)]
  const names = text
    .split(',')
    .map(name => known.find(each => [name, `Destinations${name}Handler`].includes(each)) ?? name)
  const unknown = names.filter(name => !known.includes(name))
  return unknown.length === 0
    ? names
    : refuse(`--only ${unknown.join(',')}: expected some of ${known.join(', ')}, or the name of a destination.`, 2)
}

const of = <const Name extends Caller>(
  caller: Name,
  rows: readonly (readonly [action: string, on: string, fails: readonly (typeof EVERYTHING)[Name][number][]])[],
): Prediction[] => [
  ...rows.map(([action, on, fails]) => ({ caller, action, on, fails })),
  { caller, action: 'dynamodb:PutItem', on: 'TablesEvents', fails: EVERYTHING[caller] },
  // Lambda's own work, which the emulator does without the role.
  { caller, action: 'logs:CreateLogStream', fails: [] },
  { caller, action: 'xray:PutTraceSegments', fails: [] },
]

/** Lambda polls, and the emulator does so without the role. */
const POLLS = ['sqs:ReceiveMessage', '', []] as const

/** Which queue a statement is about, by the name that the queue has. */
const EVENTS = '-Receiver-Events-'
const ORDERED = '-Receiver-OrderedEvents-'
const BILLING = '-Destinations-billing-'
const CRM = '-Destinations-crm-'
const ALL = '-Destinations-all-'
const SEVERAL = '-Receiver-SeveralEvents-'

/** A function that takes messages and runs the code of the user. */
const workers = (caller: 'Worker' | 'DestinationsbillingHandler', queues: readonly string[]): Prediction[] =>
  of(caller, [
    ['dynamodb:UpdateItem', 'TablesBodies', ['refused']],
    ['s3:GetObject', '', ['by pointer']],
    ['s3:ListBucket', '', []],
    ['s3:PutObject', '', ['large and refused']],
    ['secretsmanager:GetSecretValue', '', EVERYTHING[caller]],
    ...queues.map(queue => ['sqs:ChangeMessageVisibility', queue, []] as const),
    POLLS,
  ])

/** A function that takes messages and hands them over. */
const handers = (
  caller: 'DestinationscrmHandler' | 'DestinationsallHandler',
  queue: string,
  to: readonly [action: string, on: string],
): Prediction[] =>
  of(caller, [
    ['dynamodb:UpdateItem', 'TablesBodies', []],
    ['s3:GetObject', '', ['by pointer']],
    ['s3:ListBucket', '', []],
    ['s3:PutObject', '', ['by pointer']],
    ['secretsmanager:GetSecretValue', '', EVERYTHING[caller]],
    [...to, EVERYTHING[caller]],
    ['sqs:ChangeMessageVisibility', queue, []],
    POLLS,
  ])

/** Every statement of every role. One that is not here is an error, and so is a row without a statement. */
export const PREDICTIONS: readonly Prediction[] = [
  ...of('Receive', [
    // The sender of the other ones comes again, so their bodies are kept while the message is sent.
    ['dynamodb:UpdateItem', 'TablesBodies', ['github']],
    ['s3:PutObject', '', ['large']],
    ['secretsmanager:GetSecretValue', '', EVERYTHING.Receive],
    ['sqs:SendMessage', EVENTS, ['stripe', 'github', 'large']],
    ['sqs:SendMessage', ORDERED, ['ordered']],
    ['sqs:SendMessage', BILLING, ['billing']],
    ['sqs:SendMessage', CRM, ['crm']],
    ['sqs:SendMessage', ALL, ['all']],
    ['sqs:SendMessage', SEVERAL, ['several']],
  ]),
  ...of('Publish', [
    ['dynamodb:UpdateItem', 'TablesBodies', []],
    ['s3:PutObject', '', []],
    ['secretsmanager:GetSecretValue', '', ['order']],
    ['sqs:SendMessage', EVENTS, ['order']],
    // The internal source of the suite has no ordering key and no routes.
    ...[ORDERED, BILLING, CRM, ALL, SEVERAL].map(queue => ['sqs:SendMessage', queue, []] as const),
  ]),
  ...workers('Worker', [EVENTS, ORDERED]),
  ...workers('DestinationsbillingHandler', [BILLING]),
  ...handers('DestinationscrmHandler', CRM, ['sqs:SendMessage', '-crm']),
  ...handers('DestinationsallHandler', ALL, ['events:PutEvents', '']),
  ...of('FanOut', [
    ['dynamodb:UpdateItem', 'TablesBodies', ['plain']],
    ['s3:GetObject', '', ['by pointer']],
    ['s3:ListBucket', '', []],
    ['s3:PutObject', '', ['by pointer']],
    ['secretsmanager:GetSecretValue', '', EVERYTHING.FanOut],
    ['sqs:SendMessage', BILLING, EVERYTHING.FanOut],
    ['sqs:SendMessage', CRM, EVERYTHING.FanOut],
    // No route of the suite has these among several.
    ...[EVENTS, ORDERED, ALL].map(queue => ['sqs:SendMessage', queue, []] as const),
    ['sqs:ChangeMessageVisibility', SEVERAL, []],
    POLLS,
  ]),
  ...of('Bury', [
    ['dynamodb:UpdateItem', 'TablesBodies', ['small']],
    ['s3:GetObject', '', []],
    ['s3:ListBucket', '', []],
    ['s3:PutObject', '', ['large']],
    ['secretsmanager:GetSecretValue', '', ['small', 'large']],
    POLLS,
  ]),
  ...of('Operate', [
    ['dynamodb:GetItem', 'TablesBodies', ['replay', 'queued at once', ...MANY, 'accept']],
    // It is also the one that lists the bodies of an event, so none is erased, wherever it is.
    ['dynamodb:UpdateItem', 'TablesBodies', ['replay', 'queued at once', ...MANY, 'accept', 'erase', 'erase, large']],
    ['dynamodb:BatchGetItem', '', MANY],
    ['dynamodb:Query', 'index/listing', MANY],
    ['s3:GetObject', '', ['replay, large']],
    ['s3:ListBucket', '', ['erase', 'erase, large']],
    // What lies in the bucket for long enough is not written again by a replay.
    ['s3:PutObject', '', ['erase, large']],
    // What is recorded as replayed and not sent, recovery sends, later than the probe waits.
    ['secretsmanager:GetSecretValue', '', ['queued at once', ...MANY, 'accept']],
    ['lambda:GetEventSourceMapping', '', ['pause', 'resume']],
    ['sqs:SendMessage', EVENTS, ['queued at once', 'accept']],
    ['sqs:SendMessage', ORDERED, []],
    ['sqs:SendMessage', BILLING, ['many: billing']],
    ['sqs:SendMessage', CRM, ['many: crm']],
    ['sqs:SendMessage', ALL, ['many: all']],
    ['sqs:SendMessage', SEVERAL, ['many: several']],
  ]),
  ...of('Recover', [
    ['dynamodb:GetItem', 'TablesBodies', ['to worker', ...TO_DESTINATIONS]],
    // Pauses are looked at first, and a run that cannot list ends before it comes to queues that are left behind.
    ['dynamodb:BatchGetItem', '', ['to worker', 'large', ...TO_DESTINATIONS, 'left behind']],
    ['dynamodb:Query', '', ['to worker', 'large', ...TO_DESTINATIONS, 'left behind']],
    ['s3:GetObject', '', ['large']],
    ['s3:ListBucket', '', []],
    ['secretsmanager:GetSecretValue', '', ['to worker', 'large', ...TO_DESTINATIONS]],
    ['lambda:GetEventSourceMapping', '', ['resumed', 'to all']],
    ['sqs:SendMessage', EVENTS, ['to worker', 'large']],
    // A FIFO queue takes the same message once in five minutes, so the probe would wait too long.
    ['sqs:SendMessage', ORDERED, []],
    ['sqs:SendMessage', BILLING, ['to billing']],
    ['sqs:SendMessage', CRM, ['to crm']],
    ['sqs:SendMessage', ALL, ['to all']],
    ['sqs:SendMessage', SEVERAL, ['to several']],
    ['sqs:SendMessage', 'ReceiverEvents', ['left behind']],
    ['sqs:DeleteMessage', '', ['left behind']],
  ]),
  ...of('Reconcile', [
    // A run ends at the first event that it cannot take, and the large one comes second.
    ['dynamodb:UpdateItem', 'TablesBodies', ['small', 'large']],
    ['dynamodb:BatchGetItem', '', []],
    ['dynamodb:Query', '', ['small', 'large']],
    ['s3:PutObject', '', ['large']],
    ['secretsmanager:GetSecretValue', 'FingerprintKey', ['small', 'large']],
    ['secretsmanager:GetSecretValue', 'ApiKeys', ['small', 'large']],
    ['sqs:SendMessage', EVENTS, ['small', 'large']],
    ...[ORDERED, BILLING, CRM, ALL, SEVERAL].map(queue => ['sqs:SendMessage', queue, []] as const),
  ]),
]
