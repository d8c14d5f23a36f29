import { millis } from '../../../functions/domain/brands.ts'
import { isRefusal, type Refusal } from '../../connect/refusal.ts'
import type { Operator } from '../../operator/operator.ts'
import { confirm } from '../../terminal/confirm.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { isReplayed, replaySentence } from '../print/replay-sentence.ts'
import { tellDone } from '../print/tell-done.ts'
import type { How } from './how.ts'

export const TO_NEEDS_ID = '--to names a destination of one event: give the id of the event.'

type Act = 'replay' | 'redrive'

interface Which {
  readonly id: string
  readonly source?: string | undefined
  readonly to?: string | undefined
}

const LOOK_BACK_MS = 30 * 86_400_000

export const replayOne = async (
  operator: Operator,
  which: Which,
  { act, reason, yes, json }: How & { readonly act: Act },
  terminal: Terminal,
): Promise<number | Refusal> => {
  const { id, source, to } = which
  const generation = yes ? undefined : await ask(operator, which, act)
  if (isRefusal(generation)) return generation
  const answer = await operator[act]({ id, source, reason, generation, to })
  const message = replaySentence(answer, id)
  const { kind: result, ...rest } = answer
  return tellDone(isReplayed(answer), { result, message, ...rest }, message, json, terminal)
}

/** The generation that was shown and agreed to. */
const ask = async (operator: Operator, which: Which, act: Act): Promise<number | undefined | Refusal> => {
  const shown = await toBeShown(operator, which)
  if (!shown) return undefined
  const { what, status, generation } = shown
  const question = `${act === 'replay' ? 'Replay' : 'Redrive'} ${what}, ${status}, generation ${generation}? [y/N]`
  return (await confirm(question, 'y')) ?? generation
}

/** With a destination, the copy for it: that is what is replayed, and it has generations of its own, which a list does not know. */
export const toBeShown = async (operator: Pick<Operator, 'now' | 'list' | 'show'>, { id, source, to }: Which) => {
  const from = millis(operator.now() - LOOK_BACK_MS)
  const [listed] = to === undefined ? (await operator.list({ limit: 1, from, eventId: id, source })).events : []
  const detail = listed ? undefined : await operator.show({ id, source, from })
  const event = listed ?? detail
  if (!event) return undefined
  const copy = detail?.copies.find(({ destination }) => destination === to)
  const { status, generation } = copy ?? event
  const named = `${event.source} ${event.eventId} (${event.type ?? 'no type'})`
  return { what: copy ? `${named} for ${to}` : named, status, generation }
}
