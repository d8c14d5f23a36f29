import type { Handler } from '../../functions/consume/handle.ts'
import { iso, millis } from '../../functions/domain/brands.ts'
import type { Sources } from '../../functions/domain/source.ts'
import type { SourceName } from '../../functions/domain/typed-event.ts'
import { resolveSources } from '../../functions/providers/sources.ts'
import { mapping } from './hand-out.ts'
import { fill, itemsOf, shapesOf, type TestTables } from './own-tables.ts'
import { passTime } from './pass-time.ts'
import { openPlace } from './place.ts'
import type { HandlerCall } from './run-worker.ts'
import { sending } from './sending.ts'
import type { TestReceiver } from './test-receiver-face.ts'

export interface TestReceiverOptions<Config extends Sources = Sources, Name extends SourceName = SourceName> {
  /** As in sources.ts. Each gets a secret of its own. */
  readonly sources: Config
  /** Your handler: what you hand to `consume`. */
  readonly work: Handler<Name>
  /** Your own tables, by the names that your handler uses. @default none */
  readonly tables?: TestTables
  /** Calls of the handler with one event before it fails. @default 16, or 8 for sources with an order */
  readonly tries?: number
  /** What time it is at first. @default '2026-01-01T12:00:00Z' */
  readonly start?: string
}

const START = '2026-01-01T12:00:00Z'

/** The whole receiver in this process: the functions that run in AWS, on an AWS in memory. No port, no process, no account. */
export const testReceiver = async <Config extends Sources, Name extends SourceName = SourceName>({
  sources,
  work,
  tries,
  tables = {},
  start = START,
}: TestReceiverOptions<Config, Name>): Promise<TestReceiver<keyof Config & string>> => {
  const begin = millis(Date.parse(start))
  const place = openPlace({ sources: resolveSources(sources), tables: shapesOf(tables), start: begin })
  fill(place, tables)
  const calls: HandlerCall[] = []
  const queues = mapping(place, { work: work as unknown as Handler, tries, calls })
  return {
    ...sending(place, queues, calls),
    advance: passTime(place, queues),
    now: () => iso(place.world.now()),
    crash: (point, times = 1) => place.crashes.ask(point, times),
    crashes: place.crashes.happened,
    outage: service => place.outages.begin(service),
    hold: queues.hold,
    release: async (order = 'oldest-first') =>
      queues.release(typeof order === 'string' ? order : order.map(({ id }) => id)),
    items: table => itemsOf(place, tables, table),
    calls,
    lines: place.lines,
  }
}
