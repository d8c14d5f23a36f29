import type { Delivery } from '../domain/delivery.ts'
import type { Verified } from '../domain/evidence.ts'
import type { Source } from '../domain/source.ts'
import { split } from '../receive/split.ts'

/**
 * An event that its sender itself told us over TLS, when we asked with our key: as good as a signature. Nothing of it was signed, so
 * nothing is guarded; it is stored first, since nobody will send it again; and it reopens nothing.
 */
export const fetched = (source: Source, delivery: Delivery): Verified => {
  const asTaken = { ...source, guard: false, unique: null, storeFirst: true, reopens: false } as const
  const verified = { delivery, source: asTaken, matched: 0 } as unknown as Verified
  const [only = verified] = split(verified) ?? []
  return only
}
