import type { Call } from './read-calls.ts'
import { arnOf, STACK, shortName } from './template-names.ts'

/** A call in the words of the template, the same in every stack and every run. */
export interface NamedCall {
  /** Of a function, such as `Receive`, or a command, such as `show`. */
  readonly caller: string
  readonly action: string
  /** An ARN as it would be if resources had the names that the template gives them. */
  readonly resource: string
}

/** A resource of the deployed stack. */
export interface Deployed {
  readonly logicalId: string
  readonly physicalId: string
  readonly type: string
}

/** Once each, in order. A call to something that is not of the stack is an error. */
export const nameCalls = (
  lines: readonly (Call & { readonly caller: string })[],
  deployed: readonly Deployed[],
  callerOf: (name: string, deployed: readonly Deployed[]) => string = functionOf,
): readonly NamedCall[] =>
  onceEach(
    lines.map(({ caller, action, resource }) => ({
      caller: callerOf(caller, deployed),
      action,
      resource: resourceOf(resource, deployed),
    })),
  )

export const onceEach = (calls: readonly NamedCall[]): readonly NamedCall[] => {
  const lines = calls.map(({ caller, action, resource }) => JSON.stringify({ caller, action, resource }))
  return [...new Set(lines)].toSorted().map(line => JSON.parse(line) as NamedCall)
}

const functionOf = (name: string, deployed: readonly Deployed[]): string => {
  const found = deployed.find(({ type, physicalId }) => type === 'AWS::Lambda::Function' && physicalId === name)
  return shortName(named(found, name).logicalId).replace(/Function$/, '')
}

const KINDS: Readonly<Record<string, string>> = {
  table: 'AWS::DynamoDB::Table',
  queue: 'AWS::SQS::Queue',
  bucket: 'AWS::S3::Bucket',
  secret: 'AWS::SecretsManager::Secret',
  logs: 'AWS::Logs::LogGroup',
  bus: 'AWS::Events::EventBus',
  functions: 'AWS::Lambda::Function',
  aliases: 'AWS::Lambda::Alias',
  'event-source-mappings': 'AWS::Lambda::EventSourceMapping',
}

const resourceOf = (resource: string, deployed: readonly Deployed[]): string => {
  if (resource === 'any') return '*'
  const [kind = '', first = '', ...more] = resource.split('/')
  if (kind === 'stack') return arnOf('AWS::CloudFormation::Stack', STACK)
  // Made by a probe: the queue that a removed destination has left behind.
  if (kind === 'queue' && first.startsWith('left-')) return arnOf('AWS::SQS::Queue', 'left-00000000')
  // The name of a log group has slashes.
  const [name, rest] = kind === 'logs' ? [[first, ...more].join('/'), []] : [first, more]
  const type = KINDS[kind]
  const { logicalId } = named(
    deployed.find(each => each.type === type && isCalled(each.physicalId, name)),
    resource,
  )
  // Of the key of an object only the retention that it begins with is told by a policy.
  const tail = kind === 'bucket' && rest.length > 0 ? [rest[0], 'body'] : rest
  // What is not the receiver's own is named by the stack and a word.
  const own = logicalId.startsWith('Receiver') ? shortName(logicalId) : `${STACK}-${name.split('-').at(-1)}`
  return [arnOf(type ?? '', own), ...tail].join('/')
}

/** The id of a queue is its URL, and a secret is asked for by its ARN, which ends with six characters more. */
const isCalled = (physicalId: string, name: string): boolean =>
  physicalId === name ||
  physicalId.endsWith(`/${name}`) ||
  physicalId.endsWith(`:${name}`) ||
  name.replace(/^arn:.*:secret:|-\w{6}$/g, '') === physicalId

const named = (found: Deployed | undefined, name: string): Deployed => {
  if (found === undefined) throw new Error(`${name} was called, and the stack has no such resource.`)
  return found
}
