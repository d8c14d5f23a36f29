import type { Item } from '../../../functions/adapters/wire/dynamo-calls.ts'
import type { Path, Step } from './syntax.ts'

/** What stands at a path of an item; `undefined` if nothing does. */
export const resolve = (path: Path, item: Item | undefined, names: Readonly<Record<string, string>>): unknown => {
  let value: unknown = item
  for (const step of path.steps) value = inside(value, typeof step === 'number' ? step : nameOf(step, names))
  return value
}

/** The path with its `#names` replaced. */
export const namesOf = (path: Path, names: Readonly<Record<string, string>>): Step[] =>
  path.steps.map(step => (typeof step === 'number' ? step : nameOf(step, names)))

export const nameOf = (step: string, names: Readonly<Record<string, string>>): string =>
  step.startsWith('#') ? (names[step] ?? step) : step

const inside = (value: unknown, step: Step): unknown => {
  if (typeof value !== 'object' || value === null) return undefined
  if (typeof step === 'number') return Array.isArray(value) ? value[step] : undefined
  return isMap(value) && Object.hasOwn(value, step) ? value[step] : undefined
}

export const isMap = (value: unknown): value is Item =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array) &&
  !(value instanceof Set)
