/** As much of a template as is looked at here. */
export interface Template {
  readonly Resources: Readonly<Record<string, Resource>>
}

interface Resource {
  readonly Type: string
  readonly Properties?: Readonly<Record<string, unknown>>
  readonly DependsOn?: string | readonly string[]
}

/** One thing that MiniStack cannot do, and what was done about it. */
export interface Change {
  readonly what: string
  readonly why: string
  /** Logical ids. */
  readonly resources: readonly string[]
}

/**
 * The template as MiniStack takes it, and all that was changed. No role, and no action, resource or condition of a policy is
 * among it: an ARN that is spelled in another way is the same ARN.
 */
export const fitTemplate = (
  template: Template,
): { readonly template: Template; readonly changes: readonly Change[] } => {
  const left = LEFT_OUT.map(({ what, why, isMeant }) => ({
    what,
    why,
    resources: idsOf(template, resource => isMeant(resource)),
  }))
  const gone = new Set(left.flatMap(({ resources }) => resources))
  const kept = Object.fromEntries(Object.entries(template.Resources).filter(([id]) => !gone.has(id)))
  const steps = SPELLED_ANEW.reduce<Steps>(respellAll, { template: { ...template, Resources: kept }, changes: left })
  return { template: steps.template, changes: steps.changes }
}

interface Steps {
  readonly template: Template
  readonly changes: readonly Change[]
}

const respellAll = ({ template, changes }: Steps, { what, why, type, isMeant, spell }: Spelling): Steps => {
  const named = new Set(idsOf(template, ({ Type }) => Type === type))
  const Resources = Object.fromEntries(
    Object.entries(template.Resources).map(([id, resource]) => {
      const isOurs = isMeant === undefined || isMeant(resource)
      return [id, isOurs ? (respell(resource, value => spell(value, named)) as Resource) : resource]
    }),
  )
  const isOther = (id: string) => JSON.stringify(Resources[id]) !== JSON.stringify(template.Resources[id])
  const resources = Object.keys(Resources).filter(isOther)
  return { template: { ...template, Resources }, changes: [...changes, { what, why, resources }] }
}

const LEFT_OUT = [
  {
    what: 'alarms of metric math left out',
    why: 'MiniStack takes alarms of one metric only',
    isMeant: ({ Type, Properties }: Resource) => Type === 'AWS::CloudWatch::Alarm' && Properties?.Metrics !== undefined,
  },
  {
    what: 'the custom resource that empties the throw-away bucket left out',
    why: 'its function has no SDK of its own, and MiniStack brings none',
    isMeant: ({ Type }: Resource) => Type === 'Custom::S3AutoDeleteObjects',
  },
]

interface Spelling extends Omit<Change, 'resources'> {
  /** Of the resources that are referred to. */
  readonly type: string
  /** Where. @default in every resource */
  readonly isMeant?: (resource: Resource) => boolean
  /** `undefined` leaves it as it is. */
  readonly spell: (value: Json, named: ReadonlySet<string>) => unknown
}

type Json = Readonly<Record<string, unknown>>

const SPELLED_ANEW: readonly Spelling[] = [
  {
    what: 'Ref of a secret written as Fn::GetAtt Id',
    why: 'on AWS both are its ARN, on MiniStack Ref is its name',
    type: 'AWS::SecretsManager::Secret',
    spell: ({ Ref }, named) => (named.has(String(Ref)) ? { 'Fn::GetAtt': [Ref, 'Id'] } : undefined),
  },
  {
    what: 'ARNs of log groups in a policy for people written without their last :*',
    why: 'AWS wants it there, and MiniStack compares without it',
    type: 'AWS::Logs::LogGroup',
    isMeant: ({ Type }) => Type === 'AWS::IAM::ManagedPolicy',
    spell: (value, named) => {
      const [id = '', attribute] = (value['Fn::GetAtt'] ?? []) as readonly string[]
      const isArn = named.has(id) && attribute === 'Arn'
      return isArn ? { 'Fn::Select': [0, { 'Fn::Split': [':*', value] }] } : undefined
    },
  },
]

const idsOf = ({ Resources }: Template, isMeant: (resource: Resource) => boolean): string[] =>
  Object.entries(Resources)
    .filter(([, resource]) => isMeant(resource))
    .map(([id]) => id)

const respell = (value: unknown, spell: (value: Json) => unknown): unknown => {
  if (Array.isArray(value)) return value.map(each => respell(each, spell))
  if (typeof value !== 'object' || value === null) return value
  return (
    spell(value as Json) ??
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, respell(each, spell)]))
  )
}
