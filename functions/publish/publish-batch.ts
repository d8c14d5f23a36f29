import { claim } from '../accept/claim.ts'
import { forwardAll } from '../accept/forward-all.ts'
import { keep } from '../accept/keep.ts'
import type { Delivery } from '../domain/delivery.ts'
import type { Claimed } from '../domain/evidence.ts'
import { ended } from '../domain/outcome.ts'
import { someAtOnce } from '../domain/some-at-once.ts'
import type { Receiving } from '../domain/world.ts'
import type { Producer } from './admit.ts'
import { identify } from './identify.ts'
import { judged, type Published, type PublishedBatch, type Refused, refuse } from './publication.ts'
import { type BatchItem, readBatch } from './read-batch.ts'

/** Claims and writes at once, as in a delivery of many events. */
const AT_ONCE = 10

/** Many events in one request: each is claimed on its own, all are sent together, each has its own answer. */
export const publishBatch = async (
  world: Receiving,
  producer: Producer,
  delivery: Delivery,
): Promise<PublishedBatch | Refused> => {
  const items = readBatch(delivery.body)
  if ('outcome' in items) return items
  const published = new Map<BatchItem, Published>()
  for (const round of roundsOf(items)) {
    const outcomes = await publishRound(world, producer, delivery, round)
    for (const [index, item] of round.entries()) published.set(item, outcomes[index] as Published)
  }
  return answerOf(items.map(item => ({ key: item.key, published: published.get(item) as Published })))
}

/** A key that stands in a batch twice is taken twice, one after the other, as if it were sent again. */
const roundsOf = (items: readonly BatchItem[]): readonly (readonly BatchItem[])[] => {
  const rounds: BatchItem[][] = []
  const seen = new Map<string, number>()
  for (const item of items) {
    const round = item.key === null ? 0 : (seen.get(item.key) ?? 0)
    if (item.key !== null) seen.set(item.key, round + 1)
    rounds[round] = [...(rounds[round] ?? []), item]
  }
  return rounds
}

const publishRound = async (
  world: Receiving,
  producer: Producer,
  delivery: Delivery,
  items: readonly BatchItem[],
): Promise<readonly Published[]> => {
  const steps = await someAtOnce(items, AT_ONCE, item => own(world, producer, delivery, item))
  const claimed = steps.filter(step => !('outcome' in step)) as Claimed[]
  const forwarded = await forwardAll(world, claimed)
  const outcomes = new Map(forwarded.map(({ claimed: of, outcome }) => [of, judged(outcome)]))
  return steps.map(step => ('outcome' in step ? step : (outcomes.get(step) as Published)))
}

const own = async (
  world: Receiving,
  producer: Producer,
  delivery: Delivery,
  { key, event, refused }: BatchItem,
): Promise<Claimed | Published> => {
  if (refused || key === null || event === null) return refused ?? refuse('batch-malformed')
  const identified = await identify(world, producer, key, { ...delivery, body: event })
  if ('outcome' in identified) return identified
  const kept = await keep(world, identified)
  if (ended(kept)) return kept
  const claimed = await claim(world, kept)
  return ended(claimed) ? judged(claimed) : claimed
}

const answerOf = (results: PublishedBatch['results']): PublishedBatch => {
  const count = (kind: Published['outcome']): number =>
    results.filter(({ published }) => published.outcome === kind).length
  return {
    outcome: 'batch',
    results,
    accepted: count('accepted'),
    duplicate: count('duplicate'),
    ignored: count('ignored'),
    inFlight: count('in-flight'),
    unavailable: count('unavailable'),
    rejected: count('rejected'),
    ids: results.flatMap(({ published }) => ('id' in published ? [published.id] : [])),
  }
}
