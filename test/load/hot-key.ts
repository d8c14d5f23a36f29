import { setTimeout as sleep } from 'node:timers/promises'
import { RETRY_AFTER_SECONDS } from '../../functions/contract/limits.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import type { Instance } from '../../lib/connect/instance.ts'
import { clockOfLocal, eventsOfLocal } from './await-done.ts'
import { type Answer, client } from './client.ts'
import { type Counts, isTaken, ledger, type Outcome } from './ledger.ts'
import { sendersOf } from './senders.ts'

export interface HotKeyReport {
  readonly counts: Counts
  readonly imbalances: readonly string[]
}

/** One process and its few connections to the engines stand for a thousand Lambdas: some may run out of time, and say so. */
const ALLOWED: readonly Outcome[] = ['accepted', 'duplicate', 'in-flight', 'unavailable']

/** Of a sender that comes again, in case the winner itself ran out of time. */
const TRIES = 3

/** One event, delivered so many times at one moment, each over a connection of its own: one claim. */
export const hotKey = async (instance: Instance, times: number): Promise<HotKeyReport> => {
  const senders = await sendersOf(instance, `hot-${Date.now()}`)
  const connections = client(instance.url, times)
  const book = ledger()
  const deliveries = Array.from({ length: times }, () => senders.event(0))
  const note = (answer: Answer): Outcome => book.note(answer, { kind: 'event', event: 0, allowed: ALLOWED })
  const outcomes = (await Promise.all(deliveries.map(connections.post))).map(note)
  while (!outcomes.some(isTaken) && outcomes.length < times + TRIES) {
    await sleep(RETRY_AFTER_SECONDS * 1000)
    outcomes.push(note(await connections.post(senders.event(0))))
  }
  connections.close()
  const [id = ''] = book.accepted.values()
  const stored = await readDone(instance, id as Fingerprint)
  return {
    counts: book.counts,
    imbalances: [
      ...book.wrong,
      ...(book.counts.accepted === 1 ? [] : [`${book.counts.accepted} of ${times} deliveries were accepted`]),
      ...(stored === 'done, generation 0' ? [] : [`the event is stored as ${stored}`]),
    ],
  }
}

const LOOKS = 240

const readDone = async (instance: Instance, id: Fingerprint): Promise<string> => {
  const events = eventsOfLocal(instance)
  let record = await events.read(id, clockOfLocal(instance))
  for (let looks = 0; record?.status !== 'done' && looks < LOOKS; looks++) {
    await sleep(250)
    record = await events.read(id, clockOfLocal(instance))
  }
  return record ? `${record.status}, generation ${record.generation}` : 'nothing'
}
