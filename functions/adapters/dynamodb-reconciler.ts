import { answered } from '../domain/fault.ts'
import { leaseReconciler, notePause, saveReconciler } from '../domain/protocol.ts'
import type { ListComparison, ReconcilerState, ReconcilerStore } from '../domain/reconciler.ts'
import { put, update } from './expressions.ts'
import type { DynamoCalls, Item } from './wire/dynamo-calls.ts'

/** Comparisons, and what the reconciler remembers, as items beside the events, which no listing of events shows. */
export const dynamodbReconciler = (
  { dynamo }: { readonly dynamo: Pick<DynamoCalls, 'putItem' | 'updateItem' | 'getItem'> },
  { eventsTable: table }: { readonly eventsTable: string },
): ReconcilerStore => {
  const read = (fingerprint: string): Promise<Item | undefined> =>
    dynamo.getItem({ TableName: table, Key: { fingerprint }, ConsistentRead: true })

  return {
    note: comparison =>
      answered(
        (async () => {
          const { at, source } = comparison
          // Of two at once the later one counts.
          await dynamo.putItem(put(table, { fingerprint: keyOf(source), at, comparison }, notePause, { at }))
          return { kind: 'noted' } as const
        })(),
      ),

    last: async source => (await read(keyOf(source)))?.comparison as ListComparison | undefined,

    async begin(lease) {
      const { kind } = await dynamo.updateItem(update(table, RECONCILER, leaseReconciler, { ...lease }))
      if (kind !== 'written') return undefined
      return ((await read(RECONCILER.fingerprint))?.state as ReconcilerState | undefined) ?? NOTHING
    },

    async save(lease, state) {
      return (
        (await dynamo.updateItem(update(table, RECONCILER, saveReconciler, { ...lease, state }))).kind === 'written'
      )
    },
  }
}

const NOTHING: ReconcilerState = { sources: {}, senders: {} }

/** A source has no such name. */
const RECONCILER = { fingerprint: 'reconciler' } as const

const keyOf = (source: string): string => `compared:${source}`
