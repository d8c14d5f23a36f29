import { put, update } from '../../functions/adapters/expressions.ts'
import type { GetItem, Item, Transaction } from '../../functions/adapters/wire/dynamo-calls.ts'
import type { Transition } from '../../functions/domain/transition.ts'
import { PROTOCOL, type TransitionName } from '../../functions/domain/whole-protocol.ts'
import { MEMORY_NAMES } from '../../lib/memory-aws/hooklatch-resources.ts'

export interface Described {
  /** The transition that the call carries, or its own name if it carries none. */
  readonly name: string
  /** That it compares with. */
  readonly fence?: string | undefined
  /** The write that moves an event, if there is one. */
  readonly moves?: Write
}

/** A call at the wire, as reports and invariants speak of it. */
export const describeCall = (method: string, input: unknown): Described => {
  switch (method) {
    case 'putItem':
    case 'updateItem':
      return describeWrite(input as Write) ?? { name: method }
    case 'transactWriteItems':
      return describeTransaction(input as Transaction) ?? { name: method }
    case 'getItem':
      return { name: readName(input as GetItem) }
    default:
      return { name: method }
  }
}

/** What a write says, in DynamoDB's words. */
interface Write {
  readonly TableName?: unknown
  readonly Key?: Item
  readonly Item?: Item
  readonly ConditionExpression?: string | undefined
  readonly UpdateExpression?: string | undefined
  readonly ExpressionAttributeValues?: Item | undefined
}

const describeWrite = (write: Write): Described | undefined => {
  const name = transitionOf(write)
  const fence = write.ExpressionAttributeValues?.[':fence'] as string | undefined
  return name && { name, fence, moves: write }
}

/** Named after the event that moves in it; a guard or an audit only comes with one. */
const describeTransaction = ({ TransactItems }: Transaction): Described | undefined =>
  TransactItems.flatMap((item): Write[] => Object.values(item))
    .filter(({ TableName }) => TableName === MEMORY_NAMES.eventsTable)
    .map(describeWrite)
    .find(described => described !== undefined && !GUARDING.has(described.name))

const GUARDING: ReadonlySet<string> = new Set(['guard', 'inheritGuard'] satisfies TransitionName[])

const readName = ({ TableName, Key }: GetItem): string => {
  if (TableName === MEMORY_NAMES.bodiesTable) return 'getItem body'
  const key = String(Key.fingerprint)
  if (key.startsWith('pause:')) return 'getItem pause'
  return key.startsWith('recovery#') ? 'getItem cursor' : 'getItem event'
}

/** The expressions of a write were made from one transition. Of those that have the same condition, what they write tells which. */
export const transitionOf = ({
  ConditionExpression = '',
  UpdateExpression,
  Item,
}: Write): TransitionName | undefined => {
  const ofQueues = Item?.fingerprint === 'recovery#queues'
  const changes = known.get(ConditionExpression) ?? new Map<string | boolean, TransitionName | undefined>()
  known.set(ConditionExpression, changes)
  const change = UpdateExpression ?? ofQueues
  if (!changes.has(change)) {
    const twins = BY_TEXT.get(keyOf(UpdateExpression, ConditionExpression)) ?? []
    changes.set(change, twins.length > 1 ? twinOf(twins, UpdateExpression, ofQueues) : twins[0])
  }
  return changes.get(change)
}

/** By condition, then by update. Not by a text of both: it would be joined and hashed at each call. */
const known = new Map<string, Map<string | boolean, TransitionName | undefined>>()

const twinOf = (twins: readonly TransitionName[], updating: string | undefined, ofQueues: boolean) =>
  updating === undefined
    ? twins.find(name => (name === 'noteQueues') === ofQueues)
    : twins.toSorted((one, other) => setsOf(one).length - setsOf(other).length).find(name => isWithin(updating, name))

const setsOf = (name: TransitionName): readonly string[] => {
  const { sets }: Transition = PROTOCOL[name]
  return sets === 'item' ? [] : sets
}

/** It sets nothing that the transition does not set. */
const isWithin = (updating: string, name: TransitionName): boolean =>
  [...updating.matchAll(/= :(\w+)/g)].every(([, value]) => setsOf(name).includes(String(value)))

/** The attributes that an update sets depend on its values; its condition and the status it leads to do not. */
const keyOf = (updating: string | undefined, condition: string): string =>
  updating === undefined
    ? `put IF ${condition}`
    : `update to ${STATUS.exec(updating)?.[1]}${updating.includes(' ADD ') ? ' and count' : ''} IF ${condition}`

const STATUS = /#status = :(\w+)/

const textOf = (transition: Transition): string => {
  const values = {} as never
  const said: Write = transition.sets === 'item' ? put('', {}, transition, values) : update('', {}, transition, values)
  return keyOf(said.UpdateExpression, said.ConditionExpression ?? '')
}

const BY_TEXT = Map.groupBy(Object.keys(PROTOCOL) as TransitionName[], name => textOf(PROTOCOL[name]))
