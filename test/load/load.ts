import type { Instance } from '../../lib/connect/instance.ts'
import { awaitDone } from './await-done.ts'
import { imbalances, type Printed } from './balance.ts'
import { client } from './client.ts'
import { type Ledger, ledger, percentile } from './ledger.ts'
import type { Mix } from './mix.ts'
import { printedBy } from './printed.ts'
import { sendMix } from './send-mix.ts'
import { sendersOf } from './senders.ts'

export interface LoadReport {
  readonly ledger: Ledger
  /** While deliveries were sent. */
  readonly seconds: number
  /** From the last answer until the queue was empty and every event had been read and was done. */
  readonly drainSeconds: number
  readonly done: number
  readonly attempts: number
  readonly imbalances: readonly string[]
}

/** Sends a mix to a local instance that has no events yet, waits for the last one to be done, and compares all accounts. */
export const load = async (instance: Instance, mix: Mix, out?: () => string): Promise<LoadReport> => {
  const senders = await sendersOf(instance, `load-${mix.seed}`)
  const connections = client(instance.url, mix.connections)
  const book = ledger()
  const started = performance.now()
  await sendMix(mix, senders, connections, book)
  connections.close()
  const sent = performance.now()
  const stored = await awaitDone(instance)
  const printed: Printed = out ? await printedBy(out, book.received) : null
  return {
    ledger: book,
    seconds: (sent - started) / 1000,
    drainSeconds: (performance.now() - sent) / 1000,
    done: stored.filter(({ status }) => status === 'done').length,
    attempts: stored.filter(({ attempts }) => attempts > 1).length,
    imbalances: imbalances(book, mix, stored, printed),
  }
}

export const describeLoad = ({ ledger: book, seconds, drainSeconds, done, attempts }: LoadReport): string => {
  const sorted = [...book.latencies].sort((left, right) => left - right)
  const at = (share: number): string => `${percentile(sorted, share).toFixed(1)} ms`
  return [
    `received     ${book.received} in ${seconds.toFixed(1)} s, ${Math.round(book.received / seconds)} a second`,
    ...Object.entries(book.counts).map(([outcome, count]) => `${outcome.padEnd(12)} ${count}`),
    `events       ${book.accepted.size} accepted, ${done} done (${attempts} of them not at the first attempt), all read ${drainSeconds.toFixed(1)} s after the last answer`,
    `answered in  p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, max ${at(1)} (senders and engines share this machine)`,
  ].join('\n')
}
