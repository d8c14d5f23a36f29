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

/** What the probes try. */
const EVERYTHING = {
  Receive: ['stripe', 'github', 'large', 'ordered'],
  Publish: ['order'],
  Worker: ['plain', 'refused', 'large and refused', 'by pointer'],
  Bury: ['small', 'large'],
  Operate: ['replay', 'queued at once'],
  Recover: ['abandoned'],
} as const

const of = <const Name extends Caller>(
  caller: Name,
  rows: readonly (readonly [action: string, on: string, fails: readonly (typeof EVERYTHING)[Name][number][]])[],
): Prediction[] => [
  { caller, action: 'dynamodb:PutItem', on: 'TablesEvents', fails: EVERYTHING[caller] },
  ...rows.map(([action, on, fails]) => ({ caller, action, on, fails })),
  // Lambda's own work, which the emulator does without the role.
  { caller, action: 'logs:CreateLogStream', fails: [] },
  { caller, action: 'xray:PutTraceSegments', fails: [] },
]

/** Every statement of every role. One that is not here is an error, and so is a row without a statement. */
export const PREDICTIONS: readonly Prediction[] = [
  ...of('Receive', [
    // The sender of the other one comes again, so its body is kept while the message is sent.
    ['dynamodb:UpdateItem', 'TablesBodies', ['github']],
    ['s3:PutObject', '', ['large']],
    ['secretsmanager:GetSecretValue', '', EVERYTHING.Receive],
    ['sqs:SendMessage', '-Receiver-Events-', ['stripe', 'github', 'large']],
    ['sqs:SendMessage', '-Receiver-OrderedEvents-', ['ordered']],
  ]),
  ...of('Publish', [
    ['dynamodb:UpdateItem', 'TablesBodies', []],
    ['s3:PutObject', '', []],
    ['secretsmanager:GetSecretValue', '', ['order']],
    ['sqs:SendMessage', '-Receiver-Events-', ['order']],
    ['sqs:SendMessage', '-Receiver-OrderedEvents-', []],
  ]),
  ...of('Worker', [
    ['dynamodb:UpdateItem', 'TablesBodies', ['refused']],
    ['s3:GetObject', '', ['by pointer']],
    ['s3:ListBucket', '', []],
    ['s3:PutObject', '', ['large and refused']],
    ['secretsmanager:GetSecretValue', '', EVERYTHING.Worker],
    ['sqs:ChangeMessageVisibility', '-Receiver-Events-', []],
    ['sqs:ChangeMessageVisibility', '-Receiver-OrderedEvents-', []],
    ['sqs:ReceiveMessage', '-Receiver-Events-', []],
    ['sqs:ReceiveMessage', '-Receiver-OrderedEvents-', []],
  ]),
  ...of('Bury', [
    ['dynamodb:UpdateItem', 'TablesBodies', ['small']],
    ['s3:GetObject', '', []],
    ['s3:ListBucket', '', []],
    ['s3:PutObject', '', ['large']],
    ['secretsmanager:GetSecretValue', '', ['small', 'large']],
    ['sqs:ReceiveMessage', 'ReceiverEvents', []],
    ['sqs:ReceiveMessage', 'ReceiverOrderedEvents', []],
  ]),
  ...of('Operate', [
    ['dynamodb:GetItem', 'TablesBodies', EVERYTHING.Operate],
    ['dynamodb:UpdateItem', 'TablesBodies', EVERYTHING.Operate],
    ['dynamodb:BatchGetItem', '', []],
    ['dynamodb:Query', '', []],
    ['s3:GetObject', '', []],
    ['s3:ListBucket', '', []],
    ['s3:PutObject', '', []],
    // What is recorded as replayed and not sent, recovery sends.
    ['secretsmanager:GetSecretValue', '', ['queued at once']],
    ['sqs:SendMessage', '-Receiver-Events-', ['queued at once']],
    ['sqs:SendMessage', '-Receiver-OrderedEvents-', []],
  ]),
  ...of('Recover', [
    ['dynamodb:GetItem', 'TablesBodies', ['abandoned']],
    ['dynamodb:BatchGetItem', '', ['abandoned']],
    ['dynamodb:Query', '', ['abandoned']],
    ['s3:GetObject', '', []],
    ['s3:ListBucket', '', []],
    ['secretsmanager:GetSecretValue', '', ['abandoned']],
    ['sqs:SendMessage', '-Receiver-Events-', ['abandoned']],
    ['sqs:SendMessage', '-Receiver-OrderedEvents-', []],
  ]),
]
