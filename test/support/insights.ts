/**
 * As much of CloudWatch Logs Insights as our queries need, over lines of JSON. Written from its documentation, not from our code:
 * an empty sum is an empty text, and numbers come back as text.
 */
export const insights = (lines: readonly string[], text: string): Record<string, string>[] => {
  let rows: Row[] = lines.filter(line => line.startsWith('{')).map(line => flat(JSON.parse(line)))
  for (const command of text.split(' | ')) rows = carriedOut(rows, command)
  return rows as Record<string, string>[]
}

type Row = Record<string, string | number>

const flat = (value: object, prefix = ''): Row =>
  Object.fromEntries(
    Object.entries(value).flatMap(([name, held]): [string, string | number][] =>
      typeof held === 'object' && held !== null
        ? Object.entries(flat(held, `${prefix}${name}.`))
        : [[prefix + name, typeof held === 'boolean' ? Number(held) : held]],
    ),
  )

const carriedOut = (rows: Row[], command: string): Row[] => {
  const [verb, rest] = [command.slice(0, command.indexOf(' ')), command.slice(command.indexOf(' ') + 1)]
  if (verb === 'filter') return rows.filter(row => rest.split(' and ').every(part => holds(row, part)))
  if (verb === 'fields') return rows.map(row => ({ ...row, ...bucket(row, rest) }))
  if (verb === 'stats') return grouped(rows, rest)
  if (verb === 'sort') return rows.toSorted((left, right) => Number(left.bucket) - Number(right.bucket))
  throw new Error(`this stand-in does not know ${verb}`)
}

const nameOf = (text: string): string => text.replaceAll('`', '')

const holds = (row: Row, part: string): boolean => {
  const present = [...part.matchAll(/ispresent\((\w+)\)/g)].map(([, name = '']) => row[name] !== undefined)
  if (present.length > 0) return present.includes(true)
  const [, name = '', is, value = ''] = /^(\S+) (=|>=|<=) (.+)$/.exec(part) ?? []
  const [held, wanted] = [row[nameOf(name)], JSON.parse(value)]
  if (held === undefined) return false
  return is === '=' ? held === wanted : is === '>=' ? held >= wanted : held <= wanted
}

const bucket = (row: Row, text: string): Row => {
  const [, name = '', from, span, as = ''] = /^floor\(\((\S+) - (\d+)\) \/ (\d+)\) as (\w+)$/.exec(text) ?? []
  return { [as]: String(Math.floor((Number(row[nameOf(name)]) - Number(from)) / Number(span))) }
}

const grouped = (rows: Row[], text: string): Row[] => {
  const [wanted = '', by = ''] = text.split(' by ')
  const names = by.split(', ')
  const groups = Map.groupBy(rows, row => JSON.stringify(names.map(name => row[name])))
  return [...groups.values()].map(group => ({
    ...Object.fromEntries(names.map(name => [name, String(group[0]?.[name] ?? '')])),
    ...Object.fromEntries(
      [...wanted.matchAll(/(\w+)\(([\w*]+)(?:, (\d+))?\) as (\w+)/g)].map(([, verb, of = '', share, as = '']) => [
        as,
        aggregate(
          verb,
          group.map(row => (of === '*' ? 1 : row[of])).filter(each => each !== undefined),
          Number(share),
        ),
      ]),
    ),
  }))
}

const aggregate = (verb: string | undefined, values: (string | number)[], share: number): string => {
  if (verb === 'count') return String(values.length)
  if (values.length === 0) return ''
  const sorted = values.map(Number).sort((left, right) => left - right)
  if (verb === 'sum') return String(sorted.reduce((sum, each) => sum + each, 0))
  return String(sorted[Math.max(0, Math.ceil((share / 100) * sorted.length) - 1)])
}
