import type { ApiAnswer } from '../domain/api-answer.ts'
import { causeOf } from '../domain/fault.ts'
import { ended } from '../domain/outcome.ts'
import type { TakingIn, World } from '../domain/world.ts'
import { identify } from '../receive/identify.ts'
import { receiveVerified } from '../receive/receive.ts'
import type { HookLedger, SentEvent, SentState } from './name-sent.ts'
import { confirmTaking, noteTaking } from './note-taking.ts'

/** To take what a sender lists, and to write down who wanted it. */
export type TakingSent = TakingIn & World<'records' | 'replays'>

export type NotTaken = Exclude<ApiAnswer, { kind: 'answered' }>

/** Of this page there is more to take, and no time left for it: the same page is asked for again. */
export interface More {
  readonly kind: 'more'
}

interface Taking {
  readonly actor: string
  readonly reason: string
  readonly except: readonly string[]
  /** Aborted when no further one is to be begun. */
  readonly stop?: AbortSignal | undefined
}

/** Takes what is missing, one after the other, or has its sender deliver it again. The first fault leaves the rest as it is. */
export const takeAll = async (
  world: TakingSent,
  open: HookLedger,
  events: readonly SentEvent[],
  { actor, reason, except, stop }: Taking,
): Promise<{ readonly events: readonly SentEvent[]; readonly left: NotTaken | More | null }> => {
  const done: SentEvent[] = []
  // A list of deliveries has a line for each try of an event.
  const touched = new Set<string | null>(except)
  let left: NotTaken | More | null = null
  for (const event of events) {
    const isOurs = event.state === 'missing' && !touched.has(event.id)
    const state: SentState | NotTaken =
      isOurs && left === null ? await takeOne(world, open, event, { actor, reason }) : event.state
    done.push(typeof state === 'string' ? { ...event, state } : event)
    if (!isOurs || left !== null) continue
    touched.add(event.id)
    if (typeof state !== 'string') left = state
    // Not before the first: whoever asks again and again comes to the end.
    else if (stop?.aborted) left = { kind: 'more' }
  }
  return { events: done, left }
}

const takeOne = (world: TakingSent, open: HookLedger, event: SentEvent, who: Pick<Taking, 'actor' | 'reason'>) =>
  open.ledger.redeliver ? redeliver(open, event) : take(world, event, who)

const redeliver = async ({ api, hook, ledger }: HookLedger, { item }: SentEvent): Promise<SentState | NotTaken> => {
  if (!ledger.redeliver || item === null) return 'unknown'
  const answer = await api.call(ledger.redeliver, { hook: hook ?? undefined, item })
  return answer.kind === 'answered' ? 'redelivered' : answer
}

/** As a delivery that came now: identified, claimed, forwarded and settled. Who wanted that is recorded before. */
const take = async (
  world: TakingSent,
  { verified }: SentEvent,
  who: Pick<Taking, 'actor' | 'reason'>,
): Promise<SentState | NotTaken> => {
  if (verified === null) return 'unknown'
  try {
    const identified = await identify(world, verified)
    if (ended(identified)) return identified.outcome === 'unavailable' ? notNow(identified.cause) : 'unknown'
    const noted = await noteTaking(world, identified, { ...who, job: null, act: 'reconcile' })
    if (noted.kind === 'unavailable') return noted
    const outcome = await receiveVerified(world, verified)
    await confirmTaking(world, noted.audit, outcome)
    switch (outcome.outcome) {
      case 'accepted':
      case 'ignored':
        return 'taken'
      // It came by itself meanwhile.
      case 'duplicate':
      case 'in-flight':
        return 'known'
      case 'unavailable':
        return notNow(`${outcome.reason}: ${outcome.cause}`)
      default:
        return 'unknown'
    }
  } catch (error) {
    return notNow(causeOf(error))
  }
}

const notNow = (cause: string): NotTaken => ({ kind: 'unavailable', cause })
