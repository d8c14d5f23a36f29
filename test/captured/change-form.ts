import type { Captured, Change } from './change.ts'

/** A form in another order and spelling, its fields cut elsewhere, repeated, and each of them changed. */
export const formChanges = ({ request, coverage }: Captured, text: string): readonly Change[] => {
  const pairs = text.split('&')
  const change = (name: string, body: string, refused: boolean): Change => ({
    name: `form: ${name}`,
    part: 'body',
    request: { ...request, body },
    refused,
  })
  const bytes = coverage.body === 'bytes'
  const meaning = bytes || coverage.body === 'form'
  const known = [...coverage.fields, ...coverage.proof].map(String)
  const holds = (pair: string): boolean => known.includes(`form:${decodeURIComponent(nameOf(pair))}`)
  const last = [...pairs].sort().at(-1) ?? ''
  const others = pairs.filter(pair => pair !== last)
  return [
    ...(pairs.length > 1 ? [change('fields in another order', [...pairs].reverse().join('&'), bytes)] : []),
    change(
      'a letter escaped',
      text.replace(/[A-Za-z]/, letter => `%${letter.charCodeAt(0).toString(16)}`),
      bytes,
    ),
    change('an empty field', `${text}&`, bytes),
    change('a field cut elsewhere', [...others, recut(last)].join('&'), bytes || (!meaning && holds(last))),
    change('a field twice', `${text}&${last}`, bytes || (meaning ? !coverage.repeats : holds(last))),
    change('a field twice with two values', `${text}&${last}1`, meaning || holds(last)),
    change('a field more', `${text}&probe=1`, meaning),
    ...pairs.map(pair =>
      change(nameOf(pair), pairs.map(each => (each === pair ? `${each}1` : each)).join('&'), meaning || holds(pair)),
    ),
  ]
}

const nameOf = (pair: string): string => pair.slice(0, pair.indexOf('='))

/** `To=+1500` becomes `To%2B=1500`: the same letters one after the other. */
const recut = (pair: string): string => {
  const [, name = '', first = '', rest = ''] = /^([^=]*)=(%[0-9A-F]{2}|.)(.*)$/i.exec(pair) ?? []
  return `${name}${first}=${rest}`
}
