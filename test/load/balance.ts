import type { EventView } from '../../lib/operator/event-view.ts'
import type { Ledger, Outcome } from './ledger.ts'

/** What the local instance itself printed about deliveries, by outcome; null when somebody else started it. */
export type Printed = Readonly<Record<string, number>> | null

/** Every way in which senders, store and log tell different stories. None: the ledger balances. */
export const imbalances = (
  ledger: Ledger,
  sent: { readonly deliveries: number; readonly events: number },
  stored: readonly EventView[],
  printed: Printed,
): readonly string[] => {
  const { counts, accepted } = ledger
  const sum = Object.values(counts).reduce((total, count) => total + count, 0)
  const done = stored.filter(({ status }) => status === 'done')
  const ids = new Set(accepted.values())
  const strangers = stored.filter(({ id }) => !ids.has(id)).length
  return [
    ...ledger.wrong.slice(0, 20),
    ...unless(ledger.wrong.length <= 20, `${ledger.wrong.length} wrong answers in all`),
    ...unless(sum === ledger.received, `${ledger.received} were received, but the outcomes add up to ${sum}`),
    ...unless(ledger.received >= sent.deliveries, `${sent.deliveries} were planned, ${ledger.received} were answered`),
    ...unless(accepted.size === sent.events, `${sent.events} events were sent, ${accepted.size} were accepted`),
    ...unless(ids.size === accepted.size, `${accepted.size} events share ${ids.size} fingerprints`),
    ...unless(stored.length === ids.size, `${ids.size} events were accepted, ${stored.length} are stored`),
    ...unless(strangers === 0, `${strangers} events are stored that nobody was told about`),
    ...unless(done.length === stored.length, `${stored.length - done.length} of ${stored.length} events are not done`),
    ...printedOtherwise(counts, printed),
  ]
}

const LOGGED: readonly Outcome[] = ['accepted', 'duplicate', 'in-flight', 'rejected', 'unavailable']

/** An unknown outcome is one the local instance may have printed all the same. */
const printedOtherwise = (counts: Ledger['counts'], printed: Printed): readonly string[] => {
  if (printed === null || counts.unknown > 0) return []
  return LOGGED.flatMap(outcome =>
    unless(
      (printed[outcome] ?? 0) === counts[outcome],
      `the local instance logged ${printed[outcome] ?? 0} ${outcome}, its senders saw ${counts[outcome]}`,
    ),
  )
}

const unless = (holds: boolean, sentence: string): readonly string[] => (holds ? [] : [sentence])
