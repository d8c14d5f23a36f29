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

const LOOK_BACK_MS = 30 * 86_400_000

export const replayOne = async (
  operator: Operator,
  { id, source, to }: { readonly id: string; readonly source?: string | undefined; readonly to?: string | undefined },
  { act, reason, yes, json }: How & { readonly act: Act },
  terminal: Terminal,
): Promise<number | Refusal> => {
  const generation = yes ? undefined : await ask(operator, id, source, act)
  if (isRefusal(generation)) return generation
  const answer = await operator[act]({ id, source, reason, generation, to })
  const message = replaySentence(answer, id)
  const { kind: result, ...rest } = answer
  return tellDone(isReplayed(answer), { result, message, ...rest }, message, json, terminal)
}

/** The generation that was shown and agreed to. */
const ask = async (
  operator: Operator,
  id: string,
  source: string | undefined,
  act: Act,
): Promise<number | undefined | Refusal> => {
  const from = millis(operator.now() - LOOK_BACK_MS)
  const { events } = await operator.list({ limit: 1, from, eventId: id, source })
  const event = events[0] ?? (await operator.show({ id, source, from }))
  if (!event) return undefined
  const what = `${event.source} ${event.eventId} (${event.type ?? 'no type'}), ${event.status}, generation ${event.generation}`
  return (await confirm(`${act === 'replay' ? 'Replay' : 'Redrive'} ${what}? [y/N]`, 'y')) ?? event.generation
}
