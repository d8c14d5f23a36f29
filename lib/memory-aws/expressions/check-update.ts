import { type AttributeType, typeOf } from '../attribute-value.ts'
import { invalid } from '../fault.ts'
import { namesOf } from './resolve-path.ts'
import type { Action, Assigned, Parsed, Placeholders, Step } from './syntax.ts'

/** What DynamoDB refuses of an update before it looks at the item. */
export const checkUpdate =
  (actions: readonly Action[]): Parsed<unknown>['check'] =>
  placeholders => {
    for (const action of actions) checkTypes(action, placeholders)
    const paths = actions.map(({ path }) => namesOf(path, placeholders.names))
    // Most touch nothing but attributes of their own.
    if (new Set(paths.map(([first]) => first)).size === paths.length) return
    for (const [index, path] of paths.entries()) {
      for (const other of paths.slice(index + 1)) checkPaths(path, other)
    }
  }

const SETS: readonly AttributeType[] = ['SS', 'NS', 'BS']

const checkTypes = (action: Action, { values }: Placeholders): void => {
  if (action.kind === 'SET') checkAssigned(action.to, values)
  else if (action.kind === 'ADD') mustBe(values[action.by.name], ['N', ...SETS])
  else if (action.kind === 'DELETE') mustBe(values[action.by.name], SETS)
}

const checkAssigned = (assigned: Assigned, values: Placeholders['values'], type?: AttributeType): void => {
  switch (assigned.kind) {
    case 'value':
      if (type) mustBe(values[assigned.name], [type])
      break
    case 'if_not_exists':
      checkAssigned(assigned.otherwise, values)
      break
    case 'sum':
    case 'list_append':
      for (const each of [assigned.left, assigned.right]) checkAssigned(each, values, TAKES[assigned.kind])
      break
    case 'path':
  }
}

const TAKES = { sum: 'N', list_append: 'L' } as const

const mustBe = (value: unknown, types: readonly AttributeType[]): void => {
  const type = typeOf(value)
  if (types.includes(type)) return
  throw invalid(`Invalid UpdateExpression: Incorrect operand type for operator or function; operand type: ${type}`)
}

/** Two actions may not touch one place, nor may one speak of a list where the other speaks of a map. */
const checkPaths = (left: readonly Step[], right: readonly Step[]): void => {
  const shorter = Math.min(left.length, right.length)
  for (let at = 0; at < shorter; at++) {
    if (left[at] === right[at]) continue
    if (typeof left[at] === typeof right[at]) return
    throw invalid('Invalid UpdateExpression: Two document paths conflict with each other')
  }
  throw invalid('Invalid UpdateExpression: Two document paths overlap with each other')
}
