import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import { canonical } from './canonical.ts'
import { equal } from './compare.ts'
import { checkKeyValue, type KeySchema, keysOf, partText } from './key-schema.ts'
import type { Stateful } from './synchronous.ts'

export interface IndexShape extends KeySchema {
  readonly name: string
  readonly projection: 'KEYS_ONLY' | 'ALL'
}

export interface SecondaryIndex extends Stateful {
  readonly shape: IndexShape
  /** Throws if an item could not be in the index: its key there has another type, or is empty. */
  check(item: Item): void
  note(key: string, before: Item | undefined, after: Item | undefined): void
  /** By the table's key, and as far as the index has heard of them. */
  entries(partition: unknown): Iterable<readonly [string, Item]>
}

export interface Lag {
  now(): number
  /** Milliseconds until a write that is made now shows in an index. */
  indexLag(): number
}

/** What the index has not heard of yet. `entry`: absent if the item is not in the index any more. */
interface Pending {
  readonly key: string
  readonly due: number
  readonly entry: Item | undefined
}

interface State {
  readonly visible: ReadonlyMap<string, Item>
  readonly pending: readonly Pending[]
}

export const secondaryIndex = (shape: IndexShape, table: KeySchema, world: Lag): SecondaryIndex => {
  const visible = new Map<string, Item>()
  const partitions = new Map<string, Map<string, Item>>()
  let pending: readonly Pending[] = []
  const { project, isSame } = projection(shape, table)
  const partitionOf = (entry: Item): string => partText(entry[shape.partitionKey.name])

  const show = (key: string, entry: Item | undefined): void => {
    const old = visible.get(key)
    if (old) partitions.get(partitionOf(old))?.delete(key)
    visible.delete(key)
    if (!entry) return
    visible.set(key, entry)
    const partition = partitions.get(partitionOf(entry)) ?? new Map<string, Item>()
    partitions.set(partitionOf(entry), partition.set(key, entry))
  }

  /** In the order of the writes. Once a later write to an item is seen, an earlier one is not shown any more. */
  const catchUp = (): void => {
    if (pending.length === 0) return
    const now = world.now()
    const lastDue = new Map<string, number>()
    for (const [place, { key, due }] of pending.entries()) if (due <= now) lastDue.set(key, place)
    for (const [key, place] of lastDue) show(key, pending[place]?.entry)
    pending = pending.filter(({ key, due }, place) => due > now && place > (lastDue.get(key) ?? -1))
  }

  return {
    shape,
    check: item => {
      for (const key of keysOf(shape)) if (item[key.name] !== undefined) checkKeyValue(key, item[key.name])
    },
    note(key, before, after) {
      if (before && after && isSame(before, after)) return
      const entry = after && project(after)
      if (!entry && !(before && project(before))) return
      const lag = world.indexLag()
      if (lag <= 0 && pending.length === 0) return show(key, entry)
      pending = [...pending, { key, due: world.now() + lag, entry }]
      catchUp()
    },
    entries: partition => {
      catchUp()
      return partitions.get(partText(partition)) ?? []
    },
    snapshot: (): State => ({ visible: new Map(visible), pending }),
    restore(snapshot) {
      const state = snapshot as State
      visible.clear()
      partitions.clear()
      for (const [key, entry] of state.visible) show(key, entry)
      pending = state.pending
    },
    stateText: () => {
      catchUp()
      // Only the order of the writes to one item means something.
      const waiting = pending.toSorted((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
      return `${canonical(visible)} ${canonical(waiting)}`
    },
  }
}

/** What the index keeps of an item; `undefined` of one that lacks a key of the index, so is not in it. */
export const projection = (shape: IndexShape, table: KeySchema) => {
  const own = keysOf(shape).map(({ name }) => name)
  const kept = new Set([...own, ...keysOf(table).map(({ name }) => name)])
  const names = [...kept]
  return {
    project: (item: Item): Item | undefined => {
      if (own.some(name => item[name] === undefined)) return undefined
      if (shape.projection === 'ALL') return item
      const entry: Item = {}
      for (const name of names) entry[name] = item[name]
      return Object.freeze(entry)
    },
    /** Whether the index need not hear of the change. */
    isSame: (before: Item, after: Item): boolean =>
      shape.projection === 'ALL' ? before === after : names.every(name => equal(before[name], after[name])),
  }
}
