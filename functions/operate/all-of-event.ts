import type { Fingerprint } from '../domain/brands.ts'
import { bodyOwner, copyId } from '../domain/copies.ts'
import type { EventRecord } from '../domain/record.ts'
import type { Source } from '../domain/source.ts'
import type { World } from '../domain/world.ts'

export type Gathering = World<'records' | 'replays' | 'sources' | 'now'>

/**
 * An event, by its own id or by that of a copy, and every copy of it. The event comes first, unless it is forgotten: a copy that was
 * replayed by itself is remembered for longer. An earlier generation, or an earlier life, may have gone to other destinations.
 */
export const allOfEvent = async (world: Gathering, id: Fingerprint): Promise<readonly EventRecord[]> => {
  const now = world.now()
  const named = await world.records.read(id, now)
  const of = named ? bodyOwner(named) : id
  const event = of === id ? named : await world.records.read(of, now)
  const earlier = event ? (await replaysOf(world, event)).flatMap(({ before }) => before?.to ?? []) : []
  const to = new Set([...(named?.to ?? []), ...(event?.to ?? []), ...earlier, ...routed(world, named?.source)])
  const copies = await Promise.all([...to].map(destination => world.records.read(copyId(of, destination), now)))
  return [event, ...copies].filter(record => record !== undefined)
}

/** Who began each of its generations, or wanted to begin the next, and how the one before it ended. */
export const replaysOf = (
  { replays }: Pick<Gathering, 'replays'>,
  { fingerprint, generation }: Pick<EventRecord, 'fingerprint' | 'generation'>,
) =>
  replays.audits(
    fingerprint,
    Array.from({ length: generation + 1 }, (_, index) => index + 1),
  )

/** Where the routes of a source lead; of every source, if nobody knows which it was. */
const routed = ({ sources }: Gathering, source: string | undefined): readonly string[] =>
  [...sources].filter(([name]) => source === undefined || name === source).flatMap(([, each]) => destinationsOf(each))

const destinationsOf = ({ routing }: Source): readonly string[] =>
  routing ? [...routing.routes.flatMap(({ to }) => to), ...routing.otherwise] : []
