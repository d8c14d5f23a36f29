import type { Item } from '../../../functions/adapters/wire/dynamo-calls.ts'
import { copyIn } from '../attribute-value.ts'
import { canonical } from '../canonical.ts'
import { addDecimals } from '../decimal.ts'
import { invalid } from '../fault.ts'
import { isMap, namesOf, resolve } from './resolve-path.ts'
import type { Action, Assigned, Placeholders, Step } from './syntax.ts'

/** The item after an update. Every operand is read from the item before it, whatever the order of the actions. */
export const applyUpdate = (actions: readonly Action[], before: Item, given: Placeholders): Item => {
  const changes = actions.map(action => ({
    steps: namesOf(action.path, given.names),
    value: valueAfter(action, before, given),
  }))
  const whole = changes.filter(({ steps }) => steps.length === 1)
  const inner = changes.filter(({ steps }) => steps.length > 1)
  const after = withWhole(before, whole)
  const writes = inner.filter(({ value }) => value !== undefined)
  // Places in a list are those of the list before: the last go first.
  const removals = inner.filter(({ value }) => value === undefined).sort(lastPlaceFirst)
  for (const { steps, value } of [...writes, ...removals]) {
    const [name, ...rest] = steps
    after[String(name)] = changed(after[String(name)], rest, value)
  }
  return Object.freeze(after)
}

/** A copy with whole attributes set and removed: most updates are nothing else. */
const withWhole = (before: Item, changes: readonly Change[]): Item => {
  let rest = before
  const set: Item = {}
  for (const { steps, value } of changes) {
    const name = String(steps[0])
    if (value !== undefined) set[name] = value
    else if (Object.hasOwn(rest, name)) rest = withoutOne(rest, name)
  }
  // Spread, as in `copyItemIn`.
  return { ...rest, ...set }
}

const withoutOne = (item: Item, name: string): Item => {
  const { [name]: _removed, ...others } = item
  return others
}

interface Change {
  readonly steps: readonly Step[]
  /** `undefined`: it is removed. */
  readonly value: unknown
}

const lastPlaceFirst = ({ steps: left }: Change, { steps: right }: Change): number => {
  const at = left.findIndex((step, index) => step !== right[index])
  const [one, other] = [left[at], right[at]]
  return typeof one === 'number' && typeof other === 'number' ? other - one : 0
}

/** `undefined`: nothing stands there any more. */
const valueAfter = (action: Action, before: Item, given: Placeholders): unknown => {
  const old = resolve(action.path, before, given.names)
  switch (action.kind) {
    case 'SET':
      return assigned(action.to, before, given)
    case 'REMOVE':
      return undefined
    case 'ADD':
      return added(old, copyIn(given.values[action.by.name]))
    case 'DELETE':
      return without(old, copyIn(given.values[action.by.name]) as Set<unknown>)
  }
}

const assigned = (term: Assigned, before: Item, given: Placeholders): unknown => {
  const read = (inner: Assigned): unknown => assigned(inner, before, given)
  switch (term.kind) {
    case 'value':
      return copyIn(given.values[term.name])
    case 'path':
      return present(resolve(term, before, given.names))
    case 'if_not_exists': {
      const old = resolve(term.path, before, given.names)
      return old === undefined ? read(term.otherwise) : old
    }
    case 'list_append':
      return Object.freeze([...list(read(term.left)), ...list(read(term.right))])
    case 'sum':
      return addDecimals(number(read(term.left)), term.sign * number(read(term.right)))
  }
}

const present = (value: unknown): unknown => {
  if (value !== undefined) return value
  throw invalid('The provided expression refers to an attribute that does not exist in the item')
}

const wrongType = (): never => {
  throw invalid('An operand in the update expression has an incorrect data type')
}

const number = (value: unknown): number => (typeof value === 'number' ? value : wrongType())

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : wrongType())

const added = (old: unknown, by: unknown): unknown => {
  if (old === undefined) return by
  if (typeof by === 'number') return addDecimals(number(old), by)
  const known = new Map([...setLike(old, by as Set<unknown>)].map(each => [canonical(each), each]))
  for (const each of by as Set<unknown>) known.set(canonical(each), each)
  return new Set(known.values())
}

const without = (old: unknown, by: Set<unknown>): unknown => {
  if (old === undefined) return undefined
  const gone = new Set([...by].map(canonical))
  const left = [...setLike(old, by)].filter(each => !gone.has(canonical(each)))
  return left.length > 0 ? new Set(left) : undefined
}

/** A set of the same kind of elements. */
const setLike = (old: unknown, by: Set<unknown>): Set<unknown> => {
  if (!(old instanceof Set)) return wrongType()
  const [[one], [other]] = [old, by]
  return typeof one === typeof other ? old : wrongType()
}

/** The value with something else, or nothing, at a place inside it. */
const changed = (whole: unknown, [step, ...rest]: readonly Step[], to: unknown): unknown => {
  if (typeof step === 'number') return changedList(whole, step, rest, to)
  if (step === undefined || !isMap(whole)) return wrongPath()
  const inner = Object.hasOwn(whole, step) ? whole[step] : undefined
  if (rest.length > 0 && inner === undefined) return wrongPath()
  const value = rest.length > 0 ? changed(inner, rest, to) : to
  return Object.freeze(value === undefined ? withoutOne(whole, step) : { ...whole, [step]: value })
}

const changedList = (whole: unknown, place: number, rest: readonly Step[], to: unknown): unknown => {
  if (!Array.isArray(whole)) return wrongPath()
  if (rest.length > 0) {
    if (place >= whole.length) return wrongPath()
    return Object.freeze(whole.with(place, changed(whole[place], rest, to)))
  }
  if (to === undefined) return Object.freeze(whole.toSpliced(place, 1))
  return Object.freeze(place < whole.length ? whole.with(place, to) : [...whole, to])
}

const wrongPath = (): never => {
  throw invalid('The document path provided in the update expression is invalid for update')
}
