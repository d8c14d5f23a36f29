import type { Item, TransactWrite } from '../../functions/adapters/wire/dynamo-calls.ts'
import { copyItemIn } from './attribute-value.ts'
import { applyUpdate } from './expressions/apply-update.ts'
import { checkPlaceholders } from './expressions/check-placeholders.ts'
import { holds } from './expressions/evaluate-condition.ts'
import { parseCondition } from './expressions/parse-condition.ts'
import { parseUpdate } from './expressions/parse-update.ts'
import { nameOf } from './expressions/resolve-path.ts'
import type { Action, Parsed, Placeholders } from './expressions/syntax.ts'
import { invalid } from './fault.ts'
import { checkSize } from './item-size.ts'
import { keysOf, keyText, onlyKeyText } from './key-schema.ts'
import type { Table } from './table.ts'

/** A write that is well formed; whether it happens depends on the item it meets. */
export interface PreparedWrite {
  readonly table: Table
  readonly key: string
  /** Whether a refusal tells the item that stood in the way. */
  readonly tells: boolean
  /** Throws if the write itself could not be stored, whatever it meets. */
  allows(before: Item | undefined): boolean
  /** Throws if the update does not fit the item. */
  after(before: Item | undefined): Item | undefined
}

export type WriteKind = keyof TransactWrite

/** A write as it comes: what its kind needs was not checked by anybody. */
export interface AnyWrite {
  readonly Item?: Item
  readonly Key?: Item
  readonly UpdateExpression?: string | undefined
  readonly ConditionExpression?: string | undefined
  readonly ExpressionAttributeNames?: unknown
  readonly ExpressionAttributeValues?: unknown
  readonly ReturnValuesOnConditionCheckFailure?: string | undefined
}

/** What a write does to the item, and the item's key. */
type Effect = Pick<PreparedWrite, 'key' | 'after'> & { check?(): void }

/** Throws what DynamoDB refuses before it looks at an item: of the expressions at once, of the key when it is called again. */
export const prepareWrite = (kind: WriteKind, table: Table, write: AnyWrite): (() => PreparedWrite) => {
  const { ConditionExpression: condition, UpdateExpression: update } = write
  const parsedCondition = condition === undefined ? undefined : parseCondition(condition)
  const parsedUpdate = update === undefined ? undefined : parseUpdate(update)
  const expressions = [parsedCondition, parsedUpdate].filter(parsed => parsed !== undefined)
  const placeholders = checkPlaceholders(write, expressions)
  return () => {
    const { key, after, check } = EFFECTS[kind](table, write, parsedUpdate, placeholders)
    return {
      table,
      tells: write.ReturnValuesOnConditionCheckFailure === 'ALL_OLD',
      key,
      after,
      allows: before => {
        check?.()
        return parsedCondition === undefined || holds(parsedCondition.tree, before, placeholders)
      },
    }
  }
}

type MakeEffect = (
  table: Table,
  write: AnyWrite,
  update: Parsed<readonly Action[]> | undefined,
  placeholders: Placeholders,
) => Effect

const EFFECTS: Readonly<Record<WriteKind, MakeEffect>> = {
  Put: (table, { Item }) => {
    if (!Item) throw invalid('The parameter Item is required')
    const item = copyItemIn(Item)
    return { key: keyText(table.shape, item), check: () => void checked(table, item), after: () => item }
  },
  Update: (table, { Key }, update, placeholders) => {
    if (!update) throw invalid('The parameter UpdateExpression is required')
    const key = copyItemIn(required(Key))
    for (const action of update.tree) checkNotKey(table, action, placeholders)
    return {
      key: onlyKeyText(table.shape, key),
      after: before => checked(table, applyUpdate(update.tree, before ?? key, placeholders)),
    }
  },
  Delete: (table, { Key }) => ({ key: onlyKeyText(table.shape, required(Key)), after: () => undefined }),
  ConditionCheck: (table, { Key, ConditionExpression }) => {
    if (ConditionExpression === undefined) throw invalid('The parameter ConditionExpression is required')
    return { key: onlyKeyText(table.shape, required(Key)), after: before => before }
  },
}

const checked = (table: Table, item: Item): Item => {
  table.checkIndexKeys(item)
  checkSize(item)
  return item
}

const required = (key: Item | undefined): Item => {
  if (key) return key
  throw invalid('The parameter Key is required')
}

const checkNotKey = (table: Table, { path }: Action, { names }: Placeholders): void => {
  const name = nameOf(String(path.steps[0]), names)
  if (keysOf(table.shape).some(key => key.name === name)) {
    throw invalid(
      `One or more parameter values were invalid: Cannot update attribute ${name}. This attribute is part of the key`,
    )
  }
}
