import type { Verified } from '../domain/evidence.ts'
import { textOf } from '../domain/parse-json.ts'
import type { Batch } from '../domain/provider.ts'
import type { Selector } from '../domain/selector.ts'
import type { Source } from '../domain/source.ts'
import { sliceItems } from '../providers/slice-items.ts'

/**
 * One delivery with many events becomes many deliveries of one event, each with the bytes of its item. `undefined` for senders
 * that do not, and for their deliveries that hold no list (tests, other formats): those are one event.
 */
export const split = (verified: Verified): readonly Verified[] | undefined => {
  const { batch } = verified.source
  const items = batch && itemsIn(verified.delivery.body, batch.path)
  if (!items) return undefined
  const source = itemSource(verified.source, batch)
  return items.map(item => ({
    ...verified,
    source,
    delivery: { ...verified.delivery, body: Buffer.from(item, 'utf8') },
  }))
}

/** Not UTF-8 is not JSON. */
const itemsIn = (body: Uint8Array, path: Batch['path']): readonly string[] | undefined => {
  try {
    return sliceItems(textOf(body), path)
  } catch {
    return undefined
  }
}

/** An item without the id of its kind is named otherwise: it must not hold up its neighbours. */
const itemSource = (source: Source, { id = [], otherwise, type = [] }: Batch): Source => {
  const paths = selectorsOf(id)
  const [last] = paths.slice(-1)
  return {
    ...source,
    batch: null,
    identity: last
      ? {
          kind: 'id',
          id: [last],
          scope: paths.slice(0, -1),
          integer: true,
          otherwise: otherwise ? selectorsOf(otherwise) : 'body',
        }
      : { kind: 'json', exclude: [] },
    type: selectorsOf(type),
  }
}

const selectorsOf = (paths: readonly string[]): readonly Selector[] => paths.map(path => `json:${path}` as const)
