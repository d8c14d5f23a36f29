import { isoOf } from './iso.ts'

/** What the stack creates, what a laptop creates and what the stores address: one definition for all three. */
export const EVENTS_TABLE = {
  partitionKey: { name: 'fingerprint', type: 'S' },
  timeToLive: 'expiresAt',
  /**
   * Newest-first listing and recovery. Sparse (guard items carry no `listing`) and KEYS_ONLY over attributes that only
   * a claim, a takeover or a reopening writes: moving on to queued, working and done costs the index nothing.
   */
  listingIndex: {
    name: 'listing',
    partitionKey: { name: 'listing', type: 'S' },
    sortKey: { name: 'claimedAt', type: 'S' },
    projection: 'KEYS_ONLY',
  },
} as const

export const BODIES_TABLE = {
  partitionKey: { name: 'fingerprint', type: 'S' },
  sortKey: { name: 'sha256', type: 'S' },
  timeToLive: 'expiresAt',
} as const

/** One partition of an index takes 1,000 writes a second; sixteen shards of a day take 16,000. */
export const LISTING_SHARDS = '0123456789abcdef'

/** Both keys of the index. Written by a claim, a takeover and a reopening, and by nothing else: it is not touched on the way to done. */
export const listingKeys = (fingerprint: string, claimedAt: number) => {
  const position = listingPosition(claimedAt, fingerprint)
  return { listing: `${position.slice(0, 10)}#${fingerprint.slice(0, 1)}`, claimedAt: position }
}

/** `2026-11-16#a`: the UTC day of the claim and the first character of the fingerprint. */
export const listingPartition = (claimedAt: number, shard: string): string => `${dayOf(claimedAt)}#${shard}`

/** All of the day. */
export const listingPartitions = (claimedAt: number): readonly string[] => {
  const day = dayOf(claimedAt)
  return [...LISTING_SHARDS].map(shard => `${day}#${shard}`)
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** A total order, so a page can end between two events of one millisecond: `2026-11-16T01:46:46.123Z#9f86d081884c7d65`. */
export const listingPosition = (claimedAt: number, fingerprint: string): string =>
  `${isoOf(claimedAt)}#${fingerprint.slice(0, 16)}`

/**
 * S3 expires objects by prefix, in whole days: a body is filed under the shortest class that is long enough.
 * The longest is also the longest `retain` a source may ask for.
 */
export const BODY_RETENTION_DAYS = [1, 7, 14, 30, 60, 90, 180, 365, 400] as const

export const bodyPrefix = (days: number): string => `${days}d/`
