import { type Fingerprint, type Millis, toSeconds } from '../domain/brands.ts'
import { type EventRecord, isExpired } from '../domain/record.ts'
import type { CommitAnswer, Mark, NotOurs, WorkStore, Write } from '../domain/work.ts'

export interface MemoryWork extends WorkStore {
  /** What handlers committed: the items of their Puts, in order. */
  readonly effects: Readonly<Record<string, unknown>>[]
}

/** The twin of the DynamoDB work store, on the records of the events store. Of a handler's writes it knows `Put`. */
export const memoryWork = (records: Map<Fingerprint, EventRecord>): MemoryWork => {
  const marks = new Map<string, Mark>()
  const effects: MemoryWork['effects'] = []

  const standing = (implied: EventRecord, now: Millis): EventRecord | undefined => {
    const record = records.get(implied.fingerprint)
    const counts = record && !isExpired(record, toSeconds(now)) && record.generation >= implied.generation
    return counts ? record : undefined
  }

  const notOurs = (record: EventRecord, implied: EventRecord): NotOurs => {
    if (record.generation > implied.generation) return { kind: 'superseded' }
    if (record.status === 'done' || record.status === 'failed') return { kind: 'over', status: record.status }
    return { kind: 'busy' }
  }

  const whoseElse = (owned: EventRecord, now: Millis): NotOurs => {
    const other = standing(owned, now)
    return other ? notOurs(other, owned) : { kind: 'busy' }
  }

  const put = (record: EventRecord): EventRecord => {
    records.set(record.fingerprint, record)
    return record
  }

  const owns = (record: EventRecord | undefined, owned: EventRecord): record is EventRecord =>
    record !== undefined && record.fence === owned.fence && record.generation === owned.generation

  const isStale = ({ key, version, by }: Mark, now: Millis): boolean => {
    const current = marks.get(key)
    if (!current || isExpired(current, toSeconds(now))) return false
    if (typeof current.version !== typeof version) return true
    return !(current.version < version || (current.version === version && current.by === by))
  }

  const write = ({ Put }: Write): void => {
    if (!Put) throw new TypeError('the memory work store knows only Put')
    const mark = markOf({ Put })
    if (mark) marks.set(mark.key, mark)
    else effects.push(Put.Item as Record<string, unknown>)
  }

  const commit = (owned: EventRecord, writes: readonly Write[], now: Millis): CommitAnswer => {
    const record = records.get(owned.fingerprint)
    if (owns(record, owned) && record.status === 'done') return { kind: 'committed' }
    if (!owns(record, owned) || record.status !== 'working') return whoseElse(owned, now)
    const index = writes.map(markOf).findIndex(mark => mark !== undefined && isStale(mark, now))
    if (index >= 0) return { kind: 'refused', index, code: 'ConditionalCheckFailed' }
    writes.forEach(write)
    put({ ...record, status: 'done', updatedAt: now, lastError: null })
    return { kind: 'committed' }
  }

  return {
    effects,

    async take(implied, now) {
      const record = standing(implied, now)
      if (!record) return { kind: 'taken', record: put(implied) }
      const free =
        record.status === 'claimed' ||
        record.status === 'queued' ||
        (record.status === 'working' && (record.leaseUntil <= now || record.fence === implied.fence))
      if (record.generation !== implied.generation || !free) return notOurs(record, implied)
      const { fence, leaseUntil, attempts } = implied
      return {
        kind: 'taken',
        record: put({
          ...record,
          status: 'working',
          fence,
          leaseUntil,
          updatedAt: now,
          ...(attempts > 1 && { attempts }),
        }),
      }
    },

    async finish(owned, now) {
      const record = records.get(owned.fingerprint)
      if (owns(record, owned) && (record.status === 'working' || record.status === 'done')) {
        put({ ...record, status: 'done', updatedAt: now, lastError: null })
        return { kind: 'moved' }
      }
      return whoseElse(owned, now)
    },

    async report(owned, now, lastError, leaseUntil) {
      const record = records.get(owned.fingerprint)
      if (!owns(record, owned) || record.status !== 'working') return { kind: 'superseded' }
      put({ ...record, leaseUntil, updatedAt: now, lastError })
      return { kind: 'moved' }
    },

    async fail(implied, { fence, now }, failure) {
      const failed = { ...failure, status: 'failed', fence, leaseUntil: now, updatedAt: now } as const
      const record = standing(implied, now)
      if (!record) {
        put({ ...implied, ...failed })
        return { kind: 'moved' }
      }
      const mayFail =
        record.generation === implied.generation &&
        (record.status === 'failed' ||
          (record.status !== 'done' && (record.leaseUntil <= now || record.fence === fence)))
      if (!mayFail) return notOurs(record, implied)
      put({ ...record, ...failed })
      return { kind: 'moved' }
    },

    commit: async (owned, writes, _token, now) => commit(owned, writes, now),

    async advance(mark, now) {
      if (isStale(mark, now)) return { kind: 'stale' }
      marks.set(mark.key, mark)
      return { kind: 'newest' }
    },

    advanceWrite: mark => ({ Put: { [MARK]: mark } }),
  }
}

const MARK = 'mark'

const markOf = ({ Put }: Write): Mark | undefined => Put?.[MARK] as Mark | undefined
