/** The line of a construct that grants something to a function of the stack. */
export interface GrantLine {
  readonly file: string
  readonly line: string
}

export type FunctionName = keyof typeof LINES

/**
 * `undefined` if the construct grants no such thing to it. SQS writes actions in lower case when it denies them. `on` is a name of the
 * contract's, for what several lines grant.
 */
export const grantedBy = (
  name: FunctionName,
  action: string,
  on: 'fingerprintKey' | '' = '',
): GrantLine | undefined => {
  const asked = `${action} ${on}`.toLowerCase()
  const found = Object.entries<string | GrantLine>(LINES[name]).find(([actions]) => asked.startsWith(actions))?.[1]
  return typeof found === 'string' ? { file: `lib/constructs/${name}-function.ts`, line: found } : found
}

const POLLED: GrantLine = {
  file: 'lib/constructs/subscription.ts',
  line: "queue.grant(consumer.role, 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes')",
}
const POLLS = { 'sqs:receivemessage': POLLED, 'sqs:deletemessage': POLLED, 'sqs:getqueueattributes': POLLED }

/** Where a store is granted, its key is granted with it. */
const KEYS = {
  'kms:': { file: 'lib/constructs/encryption.ts', line: 'export const grantKey' },
} satisfies Readonly<Record<string, GrantLine>>

const PAUSES = {
  'lambda:': {
    file: 'lib/constructs/pausing.ts',
    line: "allow(role, ['lambda:GetEventSourceMapping', 'lambda:UpdateEventSourceMapping'], arns)",
  },
} satisfies Readonly<Record<string, GrantLine>>

const TARGET = 'lib/constructs/destination-target.ts'
const VISIBILITY = "queue.queue.grant(made.role, 'sqs:ChangeMessageVisibility')"

const receives = (name: string) => ({
  'dynamodb:': `stores.tables.grantReceive(${name}.role)`,
  's3:putobject': `stores.bucket.grantWrite(${name}.role, IN_TRANSIT_BODY_SECONDS)`,
  'sqs:sendmessage': `queue.grantSend(${name}.role)`,
  ...KEYS,
})

const STORES = 'lib/constructs/stores.ts'

const CONSUMES = {
  'dynamodb:': { file: STORES, line: 'tables.grantConsume(role)' },
  's3:putobject': { file: STORES, line: 'bucket.grantWrite(role, BURIED_BODY_SECONDS)' },
  's3:': { file: STORES, line: 'bucket.grantRead(role)' },
  'secretsmanager:': { file: STORES, line: 'secrets.grantReadFingerprintKey(role)' },
  ...POLLS,
  ...KEYS,
} satisfies Readonly<Record<string, GrantLine>>

/** By how actions begin. The first that fits counts. */
export const LINES = {
  receive: {
    ...receives('receive'),
    'secretsmanager:getsecretvalue': 'stores.secrets.grantRead(receive.role)',
    'secretsmanager:': 'stores.secrets.grantChange(receive.role)',
  },
  publish: { ...receives('publish'), 'secretsmanager:': 'stores.secrets.grantReadFingerprintKey(publish.role)' },
  worker: {
    ...CONSUMES,
    'sqs:changemessagevisibility': "queue.grant(worker.role, 'sqs:ChangeMessageVisibility')",
  },
  bury: CONSUMES,
  recover: {
    'dynamodb:': 'stores.tables.grantRecover(recover.role)',
    's3:': 'stores.bucket.grantRead(recover.role)',
    'secretsmanager:': 'stores.secrets.grantReadFingerprintKey(recover.role)',
    'sqs:sendmessage': 'queue.grantSend(recover.role)',
    'sqs:': "allow(recover.role, ['sqs:ReceiveMessage', 'sqs:DeleteMessage'], [queues])",
    ...PAUSES,
    ...KEYS,
  },
  operate: {
    'dynamodb:': 'stores.tables.grantOperate(operate.role)',
    's3:putobject': 'stores.bucket.grantWrite(operate.role, IN_TRANSIT_BODY_SECONDS)',
    's3:': 'stores.bucket.grantRead(operate.role)',
    'secretsmanager:': 'stores.secrets.grantRead(operate.role)',
    'sqs:sendmessage': 'queue.grantSend(operate.role)',
    ...PAUSES,
    ...KEYS,
  },
  reconcile: {
    'dynamodb:query': 'stores.tables.grantWalk(reconcile.role)',
    'dynamodb:batchgetitem': 'stores.tables.grantWalk(reconcile.role)',
    ...receives('reconcile'),
    'secretsmanager:getsecretvalue fingerprintkey': 'stores.secrets.grantReadFingerprintKey(reconcile.role)',
    'secretsmanager:': 'stores.secrets.grantGet(reconcile.role, ...Object.values(apiKeys))',
  },
  'fan-out': {
    ...CONSUMES,
    'sqs:changemessagevisibility': VISIBILITY,
    'sqs:sendmessage': 'each.grantSend(made.role)',
  },
  destination: {
    ...CONSUMES,
    'sqs:changemessagevisibility': VISIBILITY,
    'sqs:sendmessage': { file: TARGET, line: "queue.grant(role, 'sqs:SendMessage')" },
    'events:': { file: TARGET, line: "allow(role, ['events:PutEvents'], [bus.eventBusArn])" },
  },
} satisfies Readonly<Record<string, Readonly<Record<string, string | GrantLine>>>>
