import { listingPosition } from '../contract/tables.ts'
import { type Fingerprint, type Millis, type Seconds, toSeconds } from '../domain/brands.ts'
import type { ClaimAnswer, EventStore, OwnAnswer } from '../domain/ports.ts'
import { type EventRecord, isAbandoned, isExpired, type Ownership } from '../domain/record.ts'

interface Guard {
  readonly guards: Fingerprint
  readonly expiresAt: Seconds
}

export interface MemoryEvents extends EventStore {
  readonly records: Map<Fingerprint, EventRecord>
}

/** The twin of the DynamoDB store for tests and the simulator: same law, same answers, no network. */
export const memoryEvents = (records = new Map<Fingerprint, EventRecord>()): MemoryEvents => {
  const guards = new Map<Fingerprint, Guard>()

  const alive = (fingerprint: Fingerprint, now: Millis): EventRecord | undefined => {
    const record = records.get(fingerprint)
    return record && !isExpired(record, toSeconds(now)) ? record : undefined
  }

  const put = (record: EventRecord): EventRecord => {
    records.set(record.fingerprint, record)
    return record
  }

  const isOwnClaim = (record: EventRecord | undefined, fence: string): boolean =>
    record?.status === 'claimed' && record.fence === fence

  const guardOver = (record: EventRecord, guard: Fingerprint | null): Guard | undefined => {
    const standing = guard === null ? undefined : guards.get(guard)
    const other =
      standing && !isExpired(standing, toSeconds(record.claimedAt)) && standing.guards !== record.fingerprint
    return other ? standing : undefined
  }

  const claim = (record: EventRecord, guard: Fingerprint | null): ClaimAnswer => {
    const existing = alive(record.fingerprint, record.claimedAt)
    if (existing && !isOwnClaim(existing, record.fence)) return { kind: 'lost', existing }
    const standing = guardOver(record, guard)
    const other = standing && alive(standing.guards, record.claimedAt)
    if (other) return { kind: 'lost', existing: other }
    if (guard !== null && !standing) guards.set(guard, { guards: record.fingerprint, expiresAt: record.expiresAt })
    return { kind: 'won', record: put(record) }
  }

  const own = (
    seen: EventRecord,
    by: Ownership,
    allowed: (now: EventRecord) => boolean,
    next: Partial<EventRecord>,
  ): OwnAnswer => {
    const current = records.get(seen.fingerprint)
    const mayOwn = (record: EventRecord): boolean =>
      isOwnClaim(record, by.fence) || (!isExpired(record, toSeconds(by.now)) && allowed(record))
    if (!current || !mayOwn(current)) return { kind: 'superseded' }
    const { fence, leaseUntil, now } = by
    return {
      kind: 'owned',
      record: put({ ...current, fence, leaseUntil, claimedAt: now, updatedAt: now, ...next }),
    }
  }

  const move = (owned: EventRecord, from: readonly EventRecord['status'][], next: Partial<EventRecord>) => {
    const current = records.get(owned.fingerprint)
    if (!current || current.fence !== owned.fence || !from.includes(current.status))
      return { kind: 'superseded' as const }
    put({ ...current, ...next })
    return { kind: 'moved' as const }
  }

  return {
    records,
    claim: async (record, guard) => claim(record, guard),
    takeOver: async (seen, by) =>
      own(seen, by, current => current.fence === seen.fence && isAbandoned(current, by.now), {
        attempts: seen.attempts + 1,
      }),
    reopen: async (seen, by, { now, ...body }) =>
      own(seen, by, current => current.status === 'failed' && current.generation === seen.generation, {
        ...body,
        status: 'claimed',
        generation: seen.generation + 1,
        attempts: 1,
      }),
    settle: async (owned, { now, ...body }) =>
      move(owned, ['claimed', 'queued'], { ...body, status: 'queued', updatedAt: now }),
    noteBody: async (owned, { bodySha256, bodySize, bodyAt }) => {
      const current = records.get(owned.fingerprint)
      if (!current || current.generation !== owned.generation || current.bodyAt !== null) return { kind: 'superseded' }
      put({ ...current, bodySha256, bodySize, bodyAt })
      return { kind: 'moved' }
    },
    release: async (owned, now, lastError) => move(owned, ['claimed'], { leaseUntil: now, updatedAt: now, lastError }),
    read: async (fingerprint, now) => alive(fingerprint, now),
    list: async ({ limit, now, from, after }) => {
      const position = (record: EventRecord): string => listingPosition(record.claimedAt, record.fingerprint)
      const listed = [...records.values()]
        .filter(record => record.claimedAt >= from && !isExpired(record, toSeconds(now)))
        .filter(record => after === undefined || position(record) < after)
        .sort((left, right) => (position(left) < position(right) ? 1 : -1))
      const page = listed.slice(0, limit)
      const last = page.at(-1)
      return { records: page, next: last && page.length === limit ? position(last) : null }
    },
  }
}
