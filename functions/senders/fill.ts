/** What a row's `{name}` stands for; what is not known is left out. */
export type Values = Readonly<Record<string, string | readonly string[] | undefined>>

const HOLE = /\{([a-z:]+)\}/g

/** A text with its holes filled; undefined if one of them cannot be. */
export const fillText = (
  template: string,
  values: Values,
  write: (value: string) => string = value => value,
): string | undefined => {
  const names = [...template.matchAll(HOLE)].map(([, name = '']) => name)
  if (names.some(name => typeof values[name] !== 'string')) return undefined
  return template.replaceAll(HOLE, (_, name: string) => write(values[name] as string))
}

/** JSON likewise. `{types}` alone is the list; `each` is made once for each type; `switches` become `<type>_events`. */
export const fillJson = (template: unknown, values: Values): unknown => {
  if (typeof template === 'string')
    return WHOLE.test(template) ? values[template.slice(1, -1)] : fillText(template, values)
  if (Array.isArray(template)) return template.map(each => fillJson(each, values))
  if (typeof template !== 'object' || template === null) return template
  const types = typesIn(values)
  if ('each' in template) return types.map(type => fillJson(template.each, { ...values, type }))
  return Object.fromEntries(
    Object.entries(template).flatMap(([name, value]) =>
      name === 'switches' ? switchesOf(types) : [[name, fillJson(value, values)]],
    ),
  )
}

/** Form fields and query parameters; a list is the same name again and again. */
export const fillPairs = (
  templates: Readonly<Record<string, string>>,
  values: Values,
): readonly (readonly [string, string])[] =>
  Object.entries(templates).flatMap(([name, template]) => {
    if (template === '{types}') return typesIn(values).map(type => [name, type] as const)
    const value = fillText(template, values)
    return value === undefined ? [] : [[name, value] as const]
  })

const WHOLE = /^\{[a-z:]+\}$/

const typesIn = ({ types }: Values): readonly string[] => (Array.isArray(types) ? types : [])

/** Pushes are on unless they are switched off. */
const switchesOf = (types: readonly string[]): [string, boolean][] => [
  ['push_events', types.includes('push')],
  ...types.map((type): [string, boolean] => [`${type}_events`, true]),
]
