import type { ObjectCalls, StoredObject } from '../../functions/adapters/wire/object-calls.ts'
import { canonical } from './canonical.ts'
import { fault } from './fault.ts'
import type { Stateful, Synchronous } from './synchronous.ts'

export interface MemoryObjects extends Stateful {
  readonly calls: Synchronous<ObjectCalls>
}

export const memoryObjects = (buckets: readonly string[]): MemoryObjects => {
  /** By bucket, then by key. */
  let stored = new Map(buckets.map(bucket => [bucket, new Map<string, StoredObject>()]))
  const bucketOf = (bucket: string): Map<string, StoredObject> => {
    const objects = stored.get(bucket)
    if (!objects) throw fault('NoSuchBucket', `The specified bucket does not exist: ${bucket}`)
    return objects
  }
  const copied = (): typeof stored => new Map([...stored].map(([bucket, objects]) => [bucket, new Map(objects)]))
  return {
    calls: {
      putNew(bucket, key, object) {
        const objects = bucketOf(bucket)
        if (objects.has(key)) return 'exists'
        objects.set(key, copyOf(object))
        return 'written'
      },
      put(bucket, key, object) {
        bucketOf(bucket).set(key, copyOf(object))
      },
      list(bucket, prefix) {
        const objects = bucketOf(bucket)
        const keys = [...objects.keys()].filter(key => key.startsWith(prefix)).toSorted()
        return keys.map(key => ({ key, size: objects.get(key)?.bytes.length ?? 0 }))
      },
      get(bucket, key) {
        const found = bucketOf(bucket).get(key)
        return found && copyOf(found)
      },
    },
    snapshot: copied,
    restore(snapshot) {
      stored = snapshot as typeof stored
      stored = copied()
    },
    stateText: () => canonical(stored),
  }
}

/** S3 gives the names of metadata back in small letters. */
const copyOf = ({ bytes, metadata }: StoredObject): StoredObject => ({
  bytes: new Uint8Array(bytes),
  metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name.toLowerCase(), value])),
})
