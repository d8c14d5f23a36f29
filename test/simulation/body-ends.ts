import { bodyPrefix } from '../../functions/contract/tables.ts'
import type { MemoryAws } from '../../lib/memory-aws/memory-aws.ts'
import { NAMES } from './watch-writes.ts'

interface Pointer {
  readonly owner: string
  readonly sha256: string
  readonly at: string
}

/** Until when a body that is kept there can be read, in seconds; 0 if there is none. */
export const bodyEndsAt = ({ items, objects }: Pick<MemoryAws, 'items' | 'objects'>, body: Pointer): number => {
  const { owner, sha256, at } = body
  const [, days, filed] = /^s3:(\d+)d:(.+)$/.exec(at) ?? []
  if (days !== undefined) {
    const key = `${bodyPrefix(Number(days))}${owner}/${sha256}/${filed}`
    return Number(objects.get(NAMES.bodiesBucket, key)?.metadata['expires-at'] ?? 0)
  }
  const item = items(NAMES.bodiesTable).find(each => each.fingerprint === owner && each.sha256 === sha256)
  return item === undefined || item.erased ? 0 : Number(item.expiresAt)
}
