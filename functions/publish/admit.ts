import { BODY_LIMIT_BYTES } from '../contract/limits.ts'
import { type Caller, isAllowed } from '../domain/caller.ts'
import { isEncoded } from '../domain/delivery.ts'
import type { Source } from '../domain/source.ts'
import type { Receiving } from '../domain/world.ts'
import { type Publication, type Refused, refuse } from './publication.ts'

/** A source of ours, and a caller that may publish to it. */
export interface Producer {
  readonly source: Source
  readonly caller: Caller
}

/** Nothing here reads the body or leaves the process. Who may not publish learns nothing else. */
export const admit = (world: Receiving, { delivery, caller }: Publication): Producer | Refused => {
  if (caller === null) return refuse('caller-unknown')
  if (delivery.method !== 'POST') return refuse('method')
  if (delivery.body.length > BODY_LIMIT_BYTES) return refuse('too-large')
  if (isEncoded(delivery)) return refuse('encoding')
  const source = world.sources.get(delivery.source)
  if (!source?.publish) return refuse('unknown-source')
  return isAllowed(source.publish.allow, caller) ? { source, caller } : refuse('caller-refused')
}
