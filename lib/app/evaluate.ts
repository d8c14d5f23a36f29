// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how CloudFormation writes references
/** What a value of a template is here; `missing` names what it refers to that is not here. */
export type Evaluated = { readonly value: unknown } | { readonly missing: string }

/** What a template can refer to. */
export interface Scope {
  ref(name: string): Evaluated
  attribute(logicalId: string, name: string): Evaluated
  exported(name: string): Evaluated
  condition(name: string): unknown
  mapping(map: string, first: string, second: string): unknown
}

export const isMissing = (evaluated: Evaluated): evaluated is { readonly missing: string } => 'missing' in evaluated

/** A value of a template with CloudFormation's functions carried out. */
export const evaluate = (value: unknown, scope: Scope): Evaluated => {
  if (Array.isArray(value)) return evaluateAll(value, scope)
  if (typeof value !== 'object' || value === null) return { value }
  const entries = Object.entries(value)
  const [name = '', argument] = entries.length === 1 ? (entries[0] ?? []) : []
  if (Object.hasOwn(FUNCTIONS, name)) return (FUNCTIONS[name] as TemplateFunction)(argument, scope)
  if (name.startsWith('Fn::')) return { missing: name }
  const values = evaluateAll(Object.values(value), scope, true)
  if (isMissing(values)) return values
  const all = values.value as readonly unknown[]
  const known = Object.keys(value).map((key, place) => [key, all[place]] as const)
  return { value: Object.fromEntries(known.filter(([, each]) => each !== undefined)) }
}

type TemplateFunction = (argument: unknown, scope: Scope) => Evaluated

/** `AWS::NoValue` is `undefined`, and is left out of a list. */
const evaluateAll = (values: readonly unknown[], scope: Scope, keepsPlaces = false): Evaluated => {
  const evaluated = values.map(each => evaluate(each, scope))
  const missing = evaluated.find(isMissing)
  if (missing) return missing
  const known = evaluated.map(each => (each as { readonly value: unknown }).value)
  return { value: keepsPlaces ? known : known.filter(each => each !== undefined) }
}

const over = (argument: unknown, scope: Scope, make: (...parts: readonly never[]) => unknown): Evaluated => {
  const parts = evaluate(argument, scope)
  return isMissing(parts) ? parts : { value: make(...(parts.value as never[])) }
}

const FUNCTIONS: Readonly<Record<string, TemplateFunction>> = {
  Ref: (name, scope) => scope.ref(String(name)),
  'Fn::GetAtt': (argument, scope) => {
    const [id = '', ...rest] = typeof argument === 'string' ? argument.split('.') : (argument as readonly string[])
    return scope.attribute(id, rest.join('.'))
  },
  'Fn::Join': (argument, scope) => over(argument, scope, (by: string, parts: readonly string[]) => parts.join(by)),
  'Fn::Split': (argument, scope) => over(argument, scope, (by: string, text: string) => text.split(by)),
  'Fn::Select': (argument, scope) => over(argument, scope, (at: number, list: readonly unknown[]) => list[Number(at)]),
  'Fn::Base64': (argument, scope) =>
    over([argument], scope, (text: string) => Buffer.from(text, 'utf8').toString('base64')),
  'Fn::FindInMap': (argument, scope) =>
    over(argument, scope, (map: string, first: string, second: string) => scope.mapping(map, first, second)),
  'Fn::ImportValue': (argument, scope) => {
    const name = evaluate(argument, scope)
    return isMissing(name) ? name : scope.exported(String(name.value))
  },
  'Fn::Sub': (argument, scope) => substitute(argument, scope),
  'Fn::If': (argument, scope) => {
    const [condition, yes, no] = argument as readonly [string, unknown, unknown]
    const holds = evaluate(scope.condition(condition), scope)
    return isMissing(holds) ? holds : evaluate(holds.value ? yes : no, scope)
  },
  Condition: (name, scope) => evaluate(scope.condition(String(name)), scope),
  'Fn::Equals': (argument, scope) => over(argument, scope, (one: unknown, other: unknown) => one === other),
  'Fn::And': (argument, scope) => over(argument, scope, (...all: readonly unknown[]) => all.every(Boolean)),
  'Fn::Or': (argument, scope) => over(argument, scope, (...all: readonly unknown[]) => all.some(Boolean)),
  'Fn::Not': (argument, scope) => over(argument, scope, (holds: unknown) => !holds),
}

/** `${Table}`, `${Table.Arn}`, a variable of its own; `${!x}` is the text `${x}`. */
const substitute = (argument: unknown, scope: Scope): Evaluated => {
  const [text, own = {}] = Array.isArray(argument) ? argument : [argument]
  const parts = String(text)
    .split(/(\$\{[^}]*\})/)
    .map(part => {
      const name = /^\$\{([^!}][^}]*)\}$/.exec(part)?.[1]
      if (name === undefined) return part.replace(/^\$\{!/, '${')
      if (Object.hasOwn(own, name)) return own[name]
      return name.includes('.') ? { 'Fn::GetAtt': name } : { Ref: name }
    })
  return evaluate({ 'Fn::Join': ['', parts] }, scope)
}
