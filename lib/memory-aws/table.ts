import type { Item } from '../../functions/adapters/wire/dynamo-calls.ts'
import { canonical } from './canonical.ts'
import type { KeySchema } from './key-schema.ts'
import { type IndexShape, type Lag, secondaryIndex } from './secondary-index.ts'
import { type Entry, inOrder, type Range } from './sorted.ts'
import { type Stateful, together } from './synchronous.ts'

export interface TableShape extends KeySchema {
  /** An attribute in epoch seconds. */
  readonly timeToLive?: string
  readonly indexes?: readonly IndexShape[]
}

export interface Table {
  readonly name: string
  readonly shape: TableShape
  get(key: string): Item | undefined
  /** Writes the item, or deletes it. */
  set(key: string, after: Item | undefined): void
  items(): Iterable<Entry>
  /** A part of the table or of one of its indexes, by sort key, then by their place in the table. */
  sorted(index: IndexShape | undefined, range: Range): Iterable<Entry>
  checkIndexKeys(item: Item): void
}

export interface TableWorld extends Lag {
  /** Milliseconds from an item's expiry to its deletion; `Infinity`: it is never deleted. */
  ttlLag(): number
  onWrite?(table: string, before: Item | undefined, after: Item | undefined): void
}

interface State {
  readonly items: ReadonlyMap<string, Item>
  readonly deletions: ReadonlyMap<string, number>
  readonly indexes: unknown
}

export const memoryTable = (name: string, shape: TableShape, world: TableWorld): Table & Stateful => {
  let items = new Map<string, Item>()
  /** When TTL takes an item away, by its key. */
  let deletions = new Map<string, number>()
  let nextDeletion = Number.POSITIVE_INFINITY
  const indexes = (shape.indexes ?? []).map(index => secondaryIndex(index, shape, world))
  const allIndexes = together(Object.fromEntries(indexes.map(index => [index.shape.name, index])))

  const set = (key: string, after: Item | undefined): void => {
    const before = items.get(key)
    if (after) items.set(key, after)
    else items.delete(key)
    for (const index of indexes) index.note(key, before, after)
    schedule(key, after)
    world.onWrite?.(name, before, after)
  }

  const schedule = (key: string, item: Item | undefined): void => {
    const expiresAt = shape.timeToLive === undefined ? undefined : item?.[shape.timeToLive]
    const due = typeof expiresAt === 'number' ? expiresAt * 1000 + world.ttlLag() : Number.POSITIVE_INFINITY
    deletions.delete(key)
    if (due === Number.POSITIVE_INFINITY) return
    deletions.set(key, due)
    nextDeletion = Math.min(nextDeletion, due)
  }

  const expire = (): void => {
    const now = world.now()
    if (now < nextDeletion) return
    for (const [key, due] of deletions) if (due <= now) set(key, undefined)
    nextDeletion = Math.min(...deletions.values())
  }

  return {
    name,
    shape,
    get(key) {
      expire()
      return items.get(key)
    },
    set,
    items() {
      expire()
      return items
    },
    sorted(wanted, range) {
      expire()
      const index = indexes.find(each => each.shape === wanted)
      return inOrder(wanted ?? shape, index?.entries(range.partition) ?? items, range)
    },
    checkIndexKeys(item) {
      for (const index of indexes) index.check(item)
    },
    snapshot: (): State => ({ items: new Map(items), deletions: new Map(deletions), indexes: allIndexes.snapshot() }),
    restore(snapshot) {
      const state = snapshot as State
      items = new Map(state.items)
      deletions = new Map(state.deletions)
      nextDeletion = Math.min(...deletions.values())
      allIndexes.restore(state.indexes)
    },
    stateText() {
      expire()
      return `${canonical(items)} ${canonical(deletions)} ${allIndexes.stateText()}`
    },
  }
}
