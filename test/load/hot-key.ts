import type { Instance } from '../../lib/local/instance.ts'
import { awaitDone } from './await-done.ts'
import { client } from './client.ts'
import { type Counts, ledger } from './ledger.ts'
import { sendersOf } from './senders.ts'

export interface HotKeyReport {
  readonly counts: Counts
  readonly imbalances: readonly string[]
}

/** One event, delivered so many times at one moment, each over a connection of its own: one claim. */
export const hotKey = async (instance: Instance, times: number): Promise<HotKeyReport> => {
  const senders = await sendersOf(instance, `hot-${Date.now()}`)
  const connections = client(instance.url, times)
  const book = ledger()
  const deliveries = Array.from({ length: times }, () => senders.event(0))
  const answers = await Promise.all(deliveries.map(connections.post))
  connections.close()
  const allowed = ['accepted', 'duplicate', 'in-flight'] as const
  for (const answer of answers) book.note(answer, { kind: 'event', event: 0, allowed })
  const [id] = book.accepted.values()
  const stored = (await awaitDone(instance)).filter(event => event.id === id)
  const [event] = stored
  const once = stored.length === 1 && event?.status === 'done' && event.generation === 0
  return {
    counts: book.counts,
    imbalances: [
      ...book.wrong,
      ...(book.counts.accepted === 1 ? [] : [`${book.counts.accepted} of ${times} deliveries were accepted`]),
      ...(once ? [] : [`the event is stored as ${JSON.stringify(stored)}`]),
    ],
  }
}
