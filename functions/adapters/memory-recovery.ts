import { listingPosition } from '../contract/tables.ts'
import type { Fingerprint } from '../domain/brands.ts'
import type { ListingCursor } from '../domain/ports.ts'
import type { EventRecord } from '../domain/record.ts'
import type { PassName, RecoveryStore } from '../domain/recovery.ts'

/** The twin of the DynamoDB recovery store, on the records of the events store. */
export const memoryRecovery = (records: ReadonlyMap<Fingerprint, EventRecord>): RecoveryStore => {
  const cursors = new Map<PassName, ListingCursor>()
  return {
    async scan(after, until, limit) {
      const end = listingPosition(until, '')
      const listed = [...records.values()]
        .map(record => ({ record, at: listingPosition(record.claimedAt, record.fingerprint) }))
        .filter(({ at }) => at > after && at <= end)
        .sort((left, right) => (left.at < right.at ? -1 : 1))
        .slice(0, limit)
      const last = listed.at(-1)
      return { records: listed.map(({ record }) => record), reached: last && listed.length === limit ? last.at : end }
    },
    cursor: async pass => cursors.get(pass),
    async moveCursor(pass, to) {
      if (to > (cursors.get(pass) ?? '')) cursors.set(pass, to)
    },
  }
}
