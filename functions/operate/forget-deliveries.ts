import { millis } from '../domain/brands.ts'
import type { KeptDelivery, KeptFor } from '../domain/kept-delivery.ts'
import type { World } from '../domain/world.ts'

export type Forgetting = World<'deliveries' | 'now'>

const KEPT_FOR = ['capture', 'quarantine'] as const satisfies readonly KeptFor[]

/** Quarantined and captured deliveries that are meant lose body, headers and query. That they came, and when, stays. */
export const forgetDeliveries = async (
  { deliveries, now }: Forgetting,
  source: string,
  isMeant: (delivery: KeptDelivery) => boolean,
): Promise<number> => {
  let forgotten = 0
  for (const keptFor of KEPT_FOR) {
    for await (const delivery of deliveries.each(keptFor, source, millis(0), now())) {
      if (!isMeant(delivery) || !holdsSomething(delivery)) continue
      const answer = await deliveries.keep(keptFor, blank(delivery))
      if (answer.kind === 'unavailable') throw new Error(answer.cause)
      forgotten += 1
    }
  }
  return forgotten
}

const holdsSomething = ({ body, headers, url }: KeptDelivery): boolean =>
  body.length > 0 || Object.keys(headers).length > 0 || url.includes('?')

const blank = (delivery: KeptDelivery): KeptDelivery => ({
  ...delivery,
  url: delivery.url.replace(/\?.*/s, ''),
  headers: {},
  body: new Uint8Array(),
})
