/** As much of a synthesized template as the proof reads. */
export interface Resource {
  readonly Type: string
  // biome-ignore lint/suspicious/noExplicitAny: a template is JSON
  readonly Properties?: Readonly<Record<string, any>>
}

export type Resources = Readonly<Record<string, Resource>>

export const ACCOUNT = '123456789012'
const REGION = 'us-east-1'
/** Of the stack whose template is read. */
export const STACK = 'Proof'

/** `ReceiverTablesEvents0123ABCD` is `TablesEvents`, in every stack. */
export const shortName = (logicalId: string): string => logicalId.replace(/^Receiver(.+?)[0-9A-F]{8}$/, '$1')

/** The ARN that a resource would have if it were named as the template calls it. */
export const arnOf = (type: string, name: string): string => {
  const make = ARNS[type as keyof typeof ARNS]
  if (make === undefined) throw new Error(`The proof knows no ARN of ${type} (${name}).`)
  return make(name)
}

const regional = (service: string, rest: string): string => `arn:aws:${service}:${REGION}:${ACCOUNT}:${rest}`

const ARNS = {
  'AWS::DynamoDB::Table': (name: string) => regional('dynamodb', `table/${name}`),
  'AWS::SQS::Queue': (name: string) => regional('sqs', name),
  'AWS::S3::Bucket': (name: string) => `arn:aws:s3:::${name.toLowerCase()}`,
  'AWS::SecretsManager::Secret': (name: string) => regional('secretsmanager', `secret:${name}-000000`),
  'AWS::Logs::LogGroup': (name: string) => regional('logs', `log-group:${name}:*`),
  'AWS::Lambda::Function': (name: string) => regional('lambda', `function:${name}`),
  'AWS::Lambda::Alias': (name: string) => regional('lambda', `function:${name}`),
  'AWS::Events::Rule': (name: string) => regional('events', `rule/${name}`),
  'AWS::Events::EventBus': (name: string) => regional('events', `event-bus/${name}`),
  'AWS::Lambda::EventSourceMapping': (name: string) => regional('lambda', `event-source-mapping:${name}`),
  'AWS::CloudFormation::Stack': (name: string) => regional('cloudformation', `stack/${name}/*`),
  'AWS::IAM::Role': (name: string) => `arn:aws:iam::${ACCOUNT}:role/${name}`,
}

/** A value of a template with every reference put in. */
export const resolveValue = (value: unknown, resources: Resources): unknown => {
  if (Array.isArray(value)) return value.map(each => resolveValue(each, resources))
  if (typeof value !== 'object' || value === null) return value
  const [[name, given] = ['', undefined], ...others] = Object.entries(value)
  if (others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'))) return intrinsic(name, given, resources)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolveValue(each, resources)]))
}

const intrinsic = (name: string, given: unknown, resources: Resources): unknown => {
  if (name === 'Ref') return PSEUDO[given as string] ?? referenced(given as string, resources)
  if (name === 'Fn::GetAtt') {
    const [id] = given as [string]
    return arnOf(resources[id]?.Type ?? 'an unknown resource', shortName(id))
  }
  if (name === 'Fn::Join') {
    const [separator, parts] = given as [string, unknown[]]
    return parts.map(part => resolveValue(part, resources)).join(separator)
  }
  if (name === 'Fn::Select') {
    const [index, list] = given as [number, unknown]
    return (resolveValue(list, resources) as unknown[])[index]
  }
  if (name === 'Fn::Split') {
    const [separator, text] = given as [string, unknown]
    return String(resolveValue(text, resources)).split(separator)
  }
  throw new Error(`The proof does not read ${name}.`)
}

const PSEUDO: Readonly<Record<string, string>> = {
  'AWS::Partition': 'aws',
  'AWS::Region': REGION,
  'AWS::AccountId': ACCOUNT,
  'AWS::StackName': STACK,
  'AWS::StackId': `arn:aws:cloudformation:${REGION}:${ACCOUNT}:stack/Hooklatch/00000000-0000-0000-0000-000000000000`,
}

/** Ref of a secret or an alias is its ARN; of most others, their name. */
const referenced = (id: string, resources: Resources): string => {
  const type = resources[id]?.Type ?? ''
  return ['AWS::SecretsManager::Secret', 'AWS::Lambda::Alias'].includes(type)
    ? arnOf(type, shortName(id))
    : shortName(id)
}
