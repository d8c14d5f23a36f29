import { type Evaluated, evaluate, isMissing, type Scope } from './evaluate.ts'
import { LOCAL_KINDS, type Places } from './local-kinds.ts'
import type { AppStack } from './read-assembly.ts'

/** The local name of a resource; `undefined` if it is not on this machine. */
export type NameOf = (stack: AppStack, logicalId: string) => string | undefined

/** What the templates of an app can refer to, as it is on this machine. */
export const appScope = (stack: AppStack, stacks: readonly AppStack[], nameOf: NameOf, places: Places): Scope => {
  const { Resources = {}, Parameters = {}, Mappings = {}, Conditions = {} } = stack.template
  const pseudo = pseudoParameters(stack, places)

  const known = (logicalId: string) => {
    const name = nameOf(stack, logicalId)
    const kind = LOCAL_KINDS[Resources[logicalId]?.Type ?? '']
    return name !== undefined && kind ? { name, kind } : undefined
  }
  const missing = (logicalId: string, attribute = ''): Evaluated => ({
    missing: `${logicalId}${attribute} (${Resources[logicalId]?.Type ?? 'not in the template'})`,
  })

  return {
    ref(name) {
      if (pseudo.has(name)) return { value: pseudo.get(name) }
      const parameter = Parameters[name]
      if (parameter) return parameter.Default === undefined ? missing(name) : { value: parameter.Default }
      const found = known(name)
      return found ? { value: found.kind.ref(found.name, places) } : missing(name)
    },
    attribute(logicalId, name) {
      const found = known(logicalId)
      const make = found?.kind.attributes[name]
      return found && make ? { value: make(found.name, places) } : missing(logicalId, `.${name}`)
    },
    exported(name) {
      for (const other of stacks) {
        const scope = appScope(other, stacks, nameOf, places)
        for (const { Value, Export } of Object.values(other.template.Outputs ?? {})) {
          const exported = evaluate(Export?.Name, scope)
          if (!isMissing(exported) && exported.value === name) return evaluate(Value, scope)
        }
      }
      return { missing: `the export ${name}` }
    },
    condition: name => Conditions[name] ?? true,
    mapping: (map, first, second) => Mappings[map]?.[first]?.[second],
  }
}

const pseudoParameters = ({ name }: AppStack, { region, account }: Places): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ['AWS::Region', region],
    ['AWS::AccountId', account],
    ['AWS::Partition', 'aws'],
    ['AWS::URLSuffix', 'amazonaws.com'],
    ['AWS::StackName', name],
    ['AWS::StackId', `arn:aws:cloudformation:${region}:${account}:stack/${name}/local`],
    ['AWS::NoValue', undefined],
  ])
