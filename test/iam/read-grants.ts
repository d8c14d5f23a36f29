import { type Resources, resolveValue, shortName } from './template-names.ts'

export interface Statement {
  readonly Effect: string
  readonly Action: string | readonly string[]
  readonly Resource: string | readonly string[]
}

export interface PolicyDocument {
  readonly Version: string
  readonly Statement: readonly Statement[]
}

/** One action that one caller may do on one resource. */
export interface Grant {
  readonly caller: string
  readonly action: string
  readonly resource: string
}

/** What a template lets whom do, with its references put in. */
export interface Policies {
  /** Of the role of each function, by the short name of the function. */
  readonly identity: Readonly<Record<string, readonly PolicyDocument[]>>
  /** Of queues and buckets, by ARN. */
  readonly resource: Readonly<Record<string, PolicyDocument>>
}

export const readPolicies = (resources: Resources): Policies => {
  const ofType = (type: string) => Object.entries(resources).filter(([, { Type }]) => Type === type)
  const documents = ofType('AWS::IAM::Policy').map(([, { Properties = {} }]) => ({
    roles: (Properties.Roles as { Ref: string }[]).map(({ Ref }) => Ref),
    document: resolveValue(Properties.PolicyDocument, resources) as PolicyDocument,
  }))
  const functions = ofType('AWS::Lambda::Function').flatMap(([id, { Properties = {} }]) => {
    const [role] = (Properties.Role?.['Fn::GetAtt'] ?? []) as string[]
    const own = documents.filter(({ roles }) => roles.includes(role ?? '')).map(({ document }) => document)
    return id.startsWith('Receiver') ? [[shortName(id).replace(/Function$/, ''), own] as const] : []
  })
  const attached = [...ofType('AWS::SQS::QueuePolicy'), ...ofType('AWS::S3::BucketPolicy')].flatMap(
    ([, { Properties = {} }]) => {
      const document = resolveValue(Properties.PolicyDocument, resources) as PolicyDocument
      const [arn = ''] = [document.Statement[0]?.Resource ?? ''].flat()
      return [[arn, document] as const]
    },
  )
  return { identity: Object.fromEntries(functions), resource: Object.fromEntries(attached) }
}

export const grantsOf = ({ identity }: Policies): readonly Grant[] =>
  Object.entries(identity).flatMap(([caller, documents]) =>
    documents.flatMap(({ Statement }) =>
      Statement.flatMap(({ Action, Resource }) =>
        [Action].flat().flatMap(action => [Resource].flat().map(resource => ({ caller, action, resource }))),
      ),
    ),
  )
