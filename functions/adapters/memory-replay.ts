import { type Fingerprint, toSeconds } from '../domain/brands.ts'
import { type EventRecord, isExpired } from '../domain/record.ts'
import type { Audit, ReplayStore } from '../domain/replay.ts'
import { auditOf, replayed } from '../domain/replayed.ts'

/** The twin of the DynamoDB replay store, on the records of the events store. */
export const memoryReplay = (records: Map<Fingerprint, EventRecord>): ReplayStore => {
  const audits = new Map<string, Audit>()
  const keyOf = ({ fingerprint, generation }: Pick<Audit, 'fingerprint' | 'generation'>): string =>
    `${fingerprint}:${generation}`
  const mayNote = (audit: Audit, since: number): boolean => (audits.get(keyOf(audit))?.at ?? since - 1) < since
  return {
    async begin(seen, by, act, body) {
      const current = records.get(seen.fingerprint)
      const next = replayed(seen, by, body)
      if (audits.get(keyOf(next))?.fence === by.fence) return { kind: 'begun', record: next }
      const asSeen =
        current?.status === seen.status &&
        current.generation === seen.generation &&
        !isExpired(current, toSeconds(by.now))
      if (!asSeen) return { kind: 'superseded' }
      records.set(seen.fingerprint, next)
      audits.set(keyOf(next), auditOf(seen, next, by, act))
      return { kind: 'begun', record: next }
    },
    async note(audit, since) {
      if (mayNote(audit, since)) audits.set(keyOf(audit), audit)
      return { kind: 'noted' }
    },
    audits: async (fingerprint, generations) =>
      [...generations]
        .sort((left, right) => left - right)
        .flatMap(generation => audits.get(keyOf({ fingerprint, generation })) ?? []),
    recent: async (from, until, limit) =>
      [...audits.values()]
        .filter(({ at }) => at >= from && at <= until)
        .sort((left, right) => right.at - left.at)
        .slice(0, limit),
  }
}
