import { type Millis, toSeconds } from '../domain/brands.ts'
import type { DeliveryShelf, KeptDelivery, Shelf } from '../domain/kept-delivery.ts'
import { isExpired } from '../domain/record.ts'

/** The twin of the DynamoDB shelf. */
export const memoryShelf = (): DeliveryShelf => {
  const kept = new Map<string, KeptDelivery>()
  const prefix = (shelf: Shelf, source: string): string => `${shelf}:${source} `
  const alive = (delivery: KeptDelivery, now: Millis): boolean => !isExpired(delivery, toSeconds(now))
  return {
    async keep(shelf, delivery) {
      kept.set(prefix(shelf, delivery.source) + delivery.key, delivery)
      return { kind: 'kept' }
    },
    list: async (shelf, source, from, now, limit) =>
      [...kept]
        .filter(([key, delivery]) => key.startsWith(prefix(shelf, source)) && alive(delivery, now))
        .map(([, delivery]) => delivery)
        .filter(({ at }) => at >= from)
        .sort((left, right) => (left.key < right.key ? 1 : -1))
        .slice(0, limit),
    async fetch(shelf, source, key, now) {
      const delivery = kept.get(prefix(shelf, source) + key)
      return delivery && alive(delivery, now) ? delivery : undefined
    },
  }
}
