import { hash } from 'node:crypto'
import { plus, seconds, toSeconds } from '../domain/brands.ts'
import { answered } from '../domain/fault.ts'
import type { DestinationPause, PauseStore } from '../domain/pauses.ts'
import { notePause } from '../domain/protocol.ts'
import { LOGGED_SECONDS, logKeys, readLog } from './dynamodb-operator-log.ts'
import { put } from './expressions.ts'
import type { DynamoCalls, Item } from './wire/dynamo-calls.ts'

/** Pauses as items beside the events, which no listing of events shows. */
export const dynamodbPauses = (
  { dynamo }: { readonly dynamo: Pick<DynamoCalls, 'putItem' | 'getItem' | 'query' | 'batchGetItem'> },
  { eventsTable: table }: { readonly eventsTable: string },
): PauseStore => ({
  note: pause =>
    answered(
      (async () => {
        const { at } = pause
        const write = (item: Item) => dynamo.putItem(put(table, item, notePause, { at }))
        // First the log: nothing counts that is not on record. That a pause is over is no order of anybody's.
        if (!pause.over) await write(loggedItem(pause))
        const { kind } = await write({ fingerprint: keyOf(pause.destination), at, pause })
        if (kind === 'written') return NOTED
        if (!pause.over) await write(loggedItem({ ...pause, overtaken: true }))
        return OVERTAKEN
      })(),
    ),

  async read(destination) {
    const Key = { fingerprint: keyOf(destination) }
    const item = await dynamo.getItem({ TableName: table, Key, ConsistentRead: true })
    return item && toPause(item)
  },

  recent: async (from, until, limit) => (await readLog(dynamo, table, 'pause', { from, until, limit })).map(toPause),
})

const NOTED = { kind: 'noted' } as const
const OVERTAKEN = { kind: 'unavailable', cause: 'somebody has said something else since' } as const

const keyOf = (destination: string): string => `pause:${destination}`

const loggedItem = (pause: DestinationPause): Item => ({
  fingerprint: `${keyOf(pause.destination)}:${pause.at}:${digestOf(pause)}`,
  at: pause.at,
  pause,
  expiresAt: plus(toSeconds(pause.at), seconds(LOGGED_SECONDS)),
  ...logKeys('pause', pause.at, pause.destination),
})

/** Tells apart what was ordered in one millisecond. A write that is repeated has the same. */
const digestOf = ({ state, actor, reason, until }: DestinationPause): string =>
  hash('sha256', JSON.stringify([state, actor, reason, until])).slice(0, 16)

const toPause = ({ pause }: Item): DestinationPause => pause as DestinationPause
