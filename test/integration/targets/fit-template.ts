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
  const secrets = new Set(idsOf(template, ({ Type }) => Type === SECRET))
  const spelled = respell({ ...template, Resources: kept }, secrets) as Template
  const respelled = Object.keys(kept).filter(id => JSON.stringify(kept[id]) !== JSON.stringify(spelled.Resources[id]))
  return { template: spelled, changes: [...left, { ...SPELLED_ANEW, resources: respelled }] }
}

const SECRET = 'AWS::SecretsManager::Secret'

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

const SPELLED_ANEW = {
  what: 'Ref of a secret written as Fn::GetAtt Id',
  why: 'on AWS both are its ARN, on MiniStack Ref is its name',
}

const idsOf = ({ Resources }: Template, isMeant: (resource: Resource) => boolean): string[] =>
  Object.entries(Resources)
    .filter(([, resource]) => isMeant(resource))
    .map(([id]) => id)

const respell = (value: unknown, secrets: ReadonlySet<string>): unknown => {
  if (Array.isArray(value)) return value.map(each => respell(each, secrets))
  if (typeof value !== 'object' || value === null) return value
  const { Ref } = value as { Ref?: unknown }
  if (typeof Ref === 'string' && secrets.has(Ref)) return { 'Fn::GetAtt': [Ref, 'Id'] }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, respell(each, secrets)]))
}
