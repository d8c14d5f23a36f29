import { claim } from '../accept/claim.ts'
import { forward } from '../accept/forward.ts'
import { keep } from '../accept/keep.ts'
import { settle } from '../accept/settle.ts'
import { readIdempotencyKey } from '../domain/idempotency-key.ts'
import { ended } from '../domain/outcome.ts'
import type { Receiving } from '../domain/world.ts'
import { admit } from './admit.ts'
import { identify } from './identify.ts'
import { judged, type Publication, type PublishOutcome, refuse } from './publication.ts'
import { publishBatch } from './publish-batch.ts'

/** The flow: a producer's event is named by its caller and key, claimed, forwarded and settled, or it ends where it stands. */
export const publish = async (world: Receiving, publication: Publication): Promise<PublishOutcome> => {
  const { delivery, form } = publication
  const producer = admit(world, publication)
  if ('outcome' in producer) return producer
  if (form === 'batch') return publishBatch(world, producer, delivery)

  const key = readIdempotencyKey(delivery.headers.get('idempotency-key'))
  if (key.kind === 'missing') return refuse('key-missing')
  if (key.kind === 'malformed') return refuse('key-malformed', { detail: key.why })

  const identified = await identify(world, producer, key.key, delivery)
  if ('outcome' in identified) return identified

  const kept = await keep(world, identified)
  if (ended(kept)) return kept

  const claimed = await claim(world, kept)
  if (ended(claimed)) return judged(claimed)

  const forwarded = await forward(world, claimed)
  if (ended(forwarded)) return forwarded

  return settle(world, forwarded)
}
