/** One request to AWS, as it goes out. */
export interface Request {
  /** Whom it is signed for, such as `dynamodb`. */
  readonly service: string
  readonly method: string
  readonly path: string
  /** `X-Amz-Target`, of the services that speak JSON. */
  readonly target?: string | undefined
  readonly body: string
}

/** What IAM is asked about it: an action, and the resource by its physical name. */
export interface Call {
  readonly action: string
  readonly resource: string
}

/** One for each item of a batch or a transaction, since IAM is asked about each. None, if it needs no permission. */
export const readCalls = (request: Request): readonly Call[] => {
  const read = SERVICES[request.service as keyof typeof SERVICES]
  if (read === undefined) throw new Error(`${request.service} is a service that the proof does not know.`)
  return read(request)
}

// biome-ignore lint/suspicious/noExplicitAny: what a service is told depends on the operation
type Input = Record<string, any>

const spoken =
  (read: (operation: string, input: Input) => Call[]) =>
  ({ target = '', body }: Request): Call[] =>
    read(target.split('.')[1] ?? '', JSON.parse(body || '{}'))

const table = (name: string): string => `table/${name}`

const dynamo = (operation: string, input: Input): Call[] => {
  if (operation === 'TransactWriteItems') {
    return input.TransactItems.flatMap((item: Input) =>
      Object.entries(item).map(([kind, { TableName }]) => ({
        action: `dynamodb:${kind === 'ConditionCheck' ? 'ConditionCheckItem' : `${kind}Item`}`,
        resource: table(TableName),
      })),
    )
  }
  if (operation.startsWith('BatchGet')) {
    return Object.keys(input.RequestItems).map(name => ({ action: 'dynamodb:BatchGetItem', resource: table(name) }))
  }
  const index = input.IndexName === undefined ? '' : `/index/${input.IndexName}`
  return [{ action: `dynamodb:${operation}`, resource: table(input.TableName) + index }]
}

/** IAM knows no batches of SQS. */
const sqs = (operation: string, { QueueUrl }: Input): Call[] => [
  { action: `sqs:${operation.replace(/Batch$/, '')}`, resource: `queue/${String(QueueUrl).split('/').at(-1)}` },
]

const secrets = (operation: string, { SecretId }: Input): Call[] => [
  { action: `secretsmanager:${operation}`, resource: `secret/${SecretId}` },
]

const logs = (operation: string, { logGroupName }: Input): Call[] => [
  { action: `logs:${operation}`, resource: `logs/${logGroupName}` },
]

/** Figures have no resource, and who asks for alarms by a prefix asks for all. */
const monitoring = (operation: string): Call[] => [{ action: `cloudwatch:${operation}`, resource: 'any' }]

const bus = (_: string, { Entries }: Input): Call[] =>
  Entries.map(({ EventBusName }: Input) => ({
    action: 'events:PutEvents',
    resource: `bus/${String(EventBusName).split('/').at(-1)}`,
  }))

const stack = ({ body }: Request): Call[] => {
  const form = new URLSearchParams(body)
  return [{ action: `cloudformation:${form.get('Action')}`, resource: `stack/${form.get('StackName')}` }]
}

const lambda = ({ method, path }: Request): Call[] => {
  const [, kind, name = '', alias] =
    /^\/2015-03-31\/([\w-]+)\/([^/?]+)(?:\/invocations)?(?:\?Qualifier=(\w+))?$/.exec(path) ?? []
  const action = kind === 'functions' ? 'lambda:InvokeFunction' : MAPPINGS[method as keyof typeof MAPPINGS]
  if (kind === undefined || action === undefined) throw new Error(`${method} ${path} is no call that the proof knows.`)
  return [{ action, resource: alias ? `aliases/${alias}` : `${kind}/${decodeURIComponent(name)}` }]
}

const MAPPINGS = { GET: 'lambda:GetEventSourceMapping', PUT: 'lambda:UpdateEventSourceMapping' }

/** By path, as at every endpoint of somebody's own. */
const object = ({ method, path }: Request): Call[] => {
  const action = OBJECTS[method as keyof typeof OBJECTS]
  if (action === undefined) throw new Error(`${method} ${path} is no call that the proof knows.`)
  const name = decodeURIComponent(path.split('?', 1)[0] ?? '').replace(/\/$/, '')
  const isList = name.lastIndexOf('/') === 0
  return [{ action: isList ? 's3:ListBucket' : action, resource: `bucket${name}` }]
}

const OBJECTS = { PUT: 's3:PutObject', GET: 's3:GetObject', DELETE: 's3:DeleteObject' }

/** By the names that requests are signed with. */
const SERVICES: Readonly<Record<string, (request: Request) => readonly Call[]>> = {
  dynamodb: spoken(dynamo),
  sqs: spoken(sqs),
  secretsmanager: spoken(secrets),
  logs: spoken(logs),
  monitoring: spoken(monitoring),
  events: spoken(bus),
  cloudformation: stack,
  lambda,
  s3: object,
  // Who asks STS who somebody is needs no permission for it.
  sts: () => [],
}
