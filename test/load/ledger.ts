import type { Answer } from './client.ts'

const OUTCOMES = ['accepted', 'duplicate', 'in-flight', 'rejected', 'unavailable', 'unknown'] as const

export type Outcome = (typeof OUTCOMES)[number]

export type Counts = Readonly<Record<Outcome, number>>

/** What the senders were told, event by event. */
export interface Ledger {
  readonly received: number
  readonly counts: Counts
  readonly latencies: readonly number[]
  /** Sentences about answers that should not have been given. */
  readonly wrong: readonly string[]
  /** The fingerprint that each event was accepted under. */
  readonly accepted: ReadonlyMap<number, string>
  note(answer: Answer, expected: Expected): Outcome
}

export type Expected =
  | { readonly kind: 'event'; readonly event: number; readonly allowed: readonly Outcome[] }
  | { readonly kind: 'refusal'; readonly status: number }

export const ledger = (): Ledger => {
  const counts = Object.fromEntries(OUTCOMES.map(outcome => [outcome, 0])) as Record<Outcome, number>
  const latencies: number[] = []
  const wrong: string[] = []
  const accepted = new Map<number, string>()
  const ids = new Map<number, string>()

  /** Every answer about one event names the same fingerprint, and only one says that it was accepted. */
  const noteEvent = (event: number, outcome: Outcome, { said: { id } }: Answer): void => {
    if (id === undefined) return
    const known = ids.get(event) ?? id
    if (known !== id) wrong.push(`event ${event} has two fingerprints, ${known} and ${id}`)
    ids.set(event, known)
    if (outcome !== 'accepted') return
    if (accepted.has(event)) wrong.push(`event ${event} was accepted twice`)
    accepted.set(event, id)
  }

  return {
    get received() {
      return latencies.length
    },
    counts,
    latencies,
    wrong,
    accepted,
    note(answer, expected) {
      const outcome = outcomeOf(answer)
      counts[outcome]++
      latencies.push(answer.milliseconds)
      if (expected.kind === 'event') {
        noteEvent(expected.event, outcome, answer)
        if (!expected.allowed.includes(outcome)) wrong.push(`event ${expected.event} was answered ${answer.status}`)
      } else if (outcome === 'rejected' && answer.status !== expected.status) {
        wrong.push(`${answer.status} where ${expected.status} was due`)
      } else if (outcome === 'accepted' || outcome === 'duplicate' || outcome === 'in-flight') {
        wrong.push(`${outcome}, where ${expected.status} was due`)
      }
      return outcome
    },
  }
}

const outcomeOf = ({ status, said }: Answer): Outcome => {
  if (status === 'none') return 'unknown'
  if (status === 202) return 'accepted'
  if (status === 200) return 'duplicate'
  // A sender that gives up on a 4xx is told 503 where others get 409.
  if (said.type?.endsWith('#processing')) return 'in-flight'
  return status >= 500 ? 'unavailable' : 'rejected'
}

/** The event is the receiver's business now. */
export const isTaken = (outcome: Outcome): boolean => outcome === 'accepted' || outcome === 'duplicate'

export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
