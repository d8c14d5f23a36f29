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
        // First the log: nothing counts that is not on record.
        const { at } = pause
        await dynamo.putItem(put(table, loggedItem(pause), notePause, { at }))
        const item = { fingerprint: keyOf(pause.destination), at, pause }
        const { kind } = await dynamo.putItem(put(table, item, notePause, { at }))
        return kind === 'written' ? NOTED : OVERTAKEN
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
  fingerprint: `${keyOf(pause.destination)}:${pause.at}`,
  at: pause.at,
  pause,
  expiresAt: plus(toSeconds(pause.at), seconds(LOGGED_SECONDS)),
  ...logKeys('pause', pause.at, pause.destination),
})

const toPause = ({ pause }: Item): DestinationPause => pause as DestinationPause
