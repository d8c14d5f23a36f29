import { millis } from '../../../functions/domain/brands.ts'
import { MOST_REASON } from '../../../functions/operate/read-request.ts'
import type { ReplayAnswer } from '../../../functions/operate/replay.ts'
import { isRefusal, type Refusal, refuse } from '../../connect/refusal.ts'
import type { Operator } from '../../operator/operator.ts'
import { confirm } from '../../terminal/confirm.ts'
import { jsonLines, type Terminal } from '../../terminal/terminal.ts'
import { isReplayed, replaySentence } from '../print/replay-sentence.ts'

export interface How {
  readonly act: 'replay' | 'redrive'
  readonly reason: string
  readonly yes: boolean
  readonly json: boolean
}

export const TO_NEEDS_ID = '--to names a destination of one event: give the id of the event.'

const LOOK_BACK_MS = 30 * 86_400_000

export const replayOne = async (
  operator: Operator,
  { id, source, to }: { readonly id: string; readonly source?: string | undefined; readonly to?: string | undefined },
  { act, reason, yes, json }: How,
  terminal: Terminal,
): Promise<number | Refusal> => {
  const generation = yes ? undefined : await ask(operator, id, source, act)
  if (isRefusal(generation)) return generation
  const answer = await operator[act]({ id, source, reason, generation, to })
  const message = replaySentence(answer, id)
  if (json) terminal.out(jsonLines(inJson(answer, message)))
  else (isReplayed(answer) ? terminal.out : terminal.err)(message)
  return isReplayed(answer) ? 0 : 1
}

const inJson = ({ kind, ...answer }: ReplayAnswer, message: string) => ({ result: kind, message, ...answer })

/** The generation that was shown and agreed to. */
const ask = async (
  operator: Operator,
  id: string,
  source: string | undefined,
  act: How['act'],
): Promise<number | undefined | Refusal> => {
  const { events } = await operator.list({
    limit: 1,
    from: millis(operator.now() - LOOK_BACK_MS),
    eventId: id,
    source,
  })
  const event = events[0] ?? (await operator.show({ id, source, from: millis(operator.now() - LOOK_BACK_MS) }))
  if (!event) return undefined
  const what = `${event.source} ${event.eventId} (${event.type ?? 'no type'}), ${event.status}, generation ${event.generation}`
  return (await confirm(`${act === 'replay' ? 'Replay' : 'Redrive'} ${what}? [y/N]`, 'y')) ?? event.generation
}

export const readReason = (text: string | undefined): string | Refusal => {
  const reason = text?.trim() ?? ''
  if (reason === '') return refuse('--reason is missing: say why. It is recorded with your name.', 2)
  return reason.length <= MOST_REASON
    ? reason
    : refuse(`--reason has ${reason.length} characters: expected at most ${MOST_REASON}.`, 2)
}
