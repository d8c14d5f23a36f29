import type { Status } from '../../functions/contract/status.ts'
import { iso, type Millis } from '../../functions/domain/brands.ts'
import { type EventRecord, isAbandoned } from '../../functions/domain/record.ts'

/** Where an event is now, for somebody who was woken up by an alarm. */
export const where = (record: EventRecord, now: Millis): string =>
  record.erasedAt === undefined
    ? SENTENCES[record.status](record, now)
    : `${record.status} since ${iso(record.updatedAt)}; its body, headers and errors were erased at ${iso(record.erasedAt)}, so it cannot be replayed`

const SENTENCES = {
  claimed: (record, now) => {
    if (!isAbandoned(record, now)) return `claimed, and on its way to the queue since ${iso(record.claimedAt)}`
    const since = `abandoned since ${iso(record.leaseUntil)}${record.lastError === null ? '' : ` (${record.lastError})`}`
    return record.bodyAt === null
      ? `${since}: we have no copy of its body, so its sender's next try will finish it`
      : `${since}: recovery tries to finish it every few minutes, and it can be replayed`
  },
  queued: ({ updatedAt }) => `on the queue since ${iso(updatedAt)}`,
  working: ({ leaseUntil, updatedAt, attempts, lastError }, now) => {
    if (leaseUntil > now) return `being worked on since ${iso(updatedAt)}, attempt ${attempts}`
    return `waiting for its next attempt; attempt ${attempts} ended at ${iso(updatedAt)}${lastError === null ? '' : `: ${lastError}`}`
  },
  done: ({ updatedAt }) => `done since ${iso(updatedAt)}`,
  ignored: ({ updatedAt, ignoredBecause, to, bodyAt }) => {
    if (to.length === 0) {
      return `ignored since ${iso(updatedAt)}: ${ignoredBecause}${bodyAt === null ? '' : '; if you change the routes, it can be replayed'}`
    }
    return `ignored by its handler at ${iso(updatedAt)}${ignoredBecause === null ? '' : `: ${ignoredBecause}`}`
  },
  failed: ({ updatedAt, lastError, bodyAt }) =>
    `failed for good at ${iso(updatedAt)}${lastError === null ? '' : `: ${lastError}`}; ${
      bodyAt === null ? 'we have no copy of its body, so only its sender can send it again' : 'it can be replayed'
    }`,
} as const satisfies Record<Status, (record: EventRecord, now: Millis) => string>
