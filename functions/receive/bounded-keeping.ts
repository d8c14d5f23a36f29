import type { KeptDeliveries, KeptDelivery, KeptFor } from '../domain/kept-delivery.ts'
import type { Clock } from '../domain/ports.ts'

/** Of one execution environment: a flood of forgeries must not become a flood of writes. */
const MOST_A_MINUTE = 30
/** Beyond them, places that junk does not get, see `isLikely`. */
const RESERVED = 10
const MINUTE_MS = 60_000

/** Fits a DynamoDB item with its headers even when it does not compress. */
const MOST_BYTES = 262_144

/** As a receiver keeps deliveries: those that are small enough, and so many a minute of each source. */
export const boundedKeeping = (kept: Pick<KeptDeliveries, 'keep'>, now: Clock): Pick<KeptDeliveries, 'keep'> => {
  const minutes = new Map<string, Minute>()

  const minuteOf = (name: string): Minute => {
    const known = minutes.get(name)
    if (known && now() - known.startedAt < MINUTE_MS) return known
    const minute = { startedAt: now(), kept: 0, reserved: 0, origins: new Set<string>() }
    minutes.set(name, minute)
    return minute
  }

  return {
    keep: async (keptFor, delivery) =>
      delivery.body.length <= MOST_BYTES && mayKeep(minuteOf(`${keptFor} ${delivery.source}`), keptFor, delivery)
        ? kept.keep(keptFor, delivery)
        : { kind: 'kept' },
  }
}

interface Minute {
  readonly startedAt: number
  kept: number
  reserved: number
  /** Who has had a place: at most as many as there are places. */
  readonly origins: Set<string>
}

const mayKeep = (minute: Minute, keptFor: KeptFor, delivery: KeptDelivery): boolean => {
  const origin = originOf(delivery)
  if (minute.kept < MOST_A_MINUTE) minute.kept += 1
  else if (minute.reserved < RESERVED && isLikely(minute, keptFor, delivery, origin)) minute.reserved += 1
  else return false
  minute.origins.add(origin)
  return true
}

/**
 * Of a capture, what was not refused. Of a quarantine, what shows a whole proof and comes from an address that has had no place in
 * this minute: one stranger, however fast, cannot take the place of a sender whose secret we have wrong.
 */
const isLikely = ({ origins }: Minute, keptFor: KeptFor, { outcome, reason }: KeptDelivery, origin: string): boolean =>
  keptFor === 'capture' ? outcome !== 'rejected' : !reason?.startsWith('header-') && !origins.has(origin)

/** The address that API Gateway saw, which it puts last; of IPv6 the network, since a stranger has all addresses of one. */
const originOf = ({ headers }: KeptDelivery): string => {
  const address = (headers['x-forwarded-for'] ?? []).join().split(',').at(-1)?.trim() ?? ''
  return address.includes(':') ? networkOf(address) : address
}

const GROUPS = 8
const NETWORK_GROUPS = 4

/** The first 64 bits, however they are spelled: `2001:db8::1` is in `2001:0db8:0:0:...`. */
const networkOf = (address: string): string => {
  const [before = [], after = []] = address.split('::', 2).map(part => part.split(':').filter(group => group !== ''))
  const zeros = Array<string>(Math.max(0, GROUPS - before.length - after.length)).fill('0')
  return [...before, ...zeros, ...after]
    .slice(0, NETWORK_GROUPS)
    .map(group => Number.parseInt(group, 16))
    .join(':')
}
