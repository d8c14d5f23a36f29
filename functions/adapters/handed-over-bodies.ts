import { bodyPrefix } from '../contract/tables.ts'
import type { KeptObject } from '../domain/handing-over.ts'
import type { Clock } from '../domain/ports.ts'
import type { ObjectCalls } from './wire/object-calls.ts'

/** Longer than any queue of the reader keeps a message, its dead letters included. */
const DAYS = 30

/** Where every body of an event lies that was handed over. */
export const handedOverOf = (id: string): string => `${bodyPrefix(DAYS)}handed-over/${id}/`

/** Where the bytes lie that did not fit into a message: as they are, for somebody who knows nothing of our own format. */
export const handedOverBodies =
  (
    { objects }: { readonly objects: Pick<ObjectCalls, 'put'> },
    { bodiesBucket: bucket }: { readonly bodiesBucket: string },
    now: Clock,
  ) =>
  async ({ id }: { readonly id: string }, bytes: Uint8Array, sha256: string): Promise<KeptObject> => {
    // With the day, so what is replayed weeks later lies there for its whole time again.
    const key = `${handedOverOf(id)}${sha256}/${new Date(now()).toISOString().slice(0, 10)}`
    // Whatever is there: it may be blank, if its event was erased and forgotten and came anew on that day.
    await objects.put(bucket, key, { bytes, metadata: {} })
    return { bucket, key }
  }
