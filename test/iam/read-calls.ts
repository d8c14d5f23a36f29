/** One request to AWS, as it goes out. */
export interface Request {
  readonly method: string
  readonly host: string
  readonly path: string
  /** `X-Amz-Target`, of the services that speak JSON. */
  readonly target: string | undefined
  readonly body: string
}

/** What IAM is asked about it: an action, and the resource by its physical name. */
export interface Call {
  readonly action: string
  readonly resource: string
}

/** One for each item of a batch or a transaction, since IAM is asked about each. None, if it needs no permission. */
export const readCalls = (request: Request): readonly Call[] => {
  if (request.target === undefined) return isSts(request) ? [] : [objectCall(request)]
  const [service = '', operation = ''] = request.target.split('.')
  const input = JSON.parse(request.body || '{}') as Input
  const read = SERVICES[service.replace(/_\d+$/, '') as keyof typeof SERVICES]
  if (read === undefined) throw new Error(`${request.target} is of a service that the proof does not know.`)
  return read(operation, input)
}

// biome-ignore lint/suspicious/noExplicitAny: what a service is told depends on the operation
type Input = Record<string, any>

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

const SERVICES = { DynamoDB: dynamo, AmazonSQS: sqs, secretsmanager: secrets }

/** Who asks STS who somebody is needs no permission for it. */
const isSts = ({ host, path, method }: Request): boolean =>
  host.startsWith('sts.') || (method === 'POST' && path === '/')

/** By path, as at every endpoint of somebody's own. */
const objectCall = ({ method, path }: Request): Call => {
  const action = OBJECTS[method as keyof typeof OBJECTS]
  if (action === undefined) throw new Error(`${method} ${path} is no call that the proof knows.`)
  return { action, resource: `bucket${decodeURIComponent(path.split('?', 1)[0] ?? '')}` }
}

const OBJECTS = { PUT: 's3:PutObject', GET: 's3:GetObject' }
