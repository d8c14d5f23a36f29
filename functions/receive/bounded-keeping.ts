import type { KeptDeliveries } from '../domain/kept-delivery.ts'
import type { Clock } from '../domain/ports.ts'

/** Of one execution environment: a flood of forgeries must not become a flood of writes. */
const MOST_A_MINUTE = 30
const MINUTE_MS = 60_000

/** Fits a DynamoDB item with its headers even when it does not compress. */
const MOST_BYTES = 262_144

/** As a receiver keeps deliveries: those that are small enough, and so many a minute of each source. */
export const boundedKeeping = (kept: Pick<KeptDeliveries, 'keep'>, now: Clock): Pick<KeptDeliveries, 'keep'> => {
  const minutes = new Map<string, { readonly startedAt: number; count: number }>()

  const mayKeep = (name: string): boolean => {
    const minute = minutes.get(name)
    if (!minute || now() - minute.startedAt >= MINUTE_MS) {
      minutes.set(name, { startedAt: now(), count: 1 })
      return true
    }
    minute.count += 1
    return minute.count <= MOST_A_MINUTE
  }

  return {
    keep: async (keptFor, delivery) =>
      delivery.body.length <= MOST_BYTES && mayKeep(`${keptFor} ${delivery.source}`)
        ? kept.keep(keptFor, delivery)
        : { kind: 'kept' },
  }
}
