import { millis } from '../../../functions/domain/brands.ts'
import type { ReplayAnswer } from '../../../functions/operate/replay.ts'
import type { Refusal } from '../../connect/refusal.ts'
import type { Operator } from '../../operator/open-operator.ts'
import type { EventSeen } from '../../operator/show.ts'
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
  { id, source, to }: Which,
  { act, reason, yes, json }: Omit<How, 'dryRun'> & { readonly act: Act },
  terminal: Terminal,
): Promise<number | Refusal> => {
  const event = await operator.find({ id, source, from: millis(operator.now() - LOOK_BACK_MS) })
  const shown = event && !yes ? toBeShown(event, to) : undefined
  const refused = shown && (await confirm(questionOn(shown, act), 'y'))
  if (refused) return refused
  // What was shown is replayed, whatever has come under the same id since.
  const order = { reason, generation: shown?.generation, onlyFailed: act === 'redrive', to }
  const answer: ReplayAnswer = event ? await operator.replay({ ...order, id: event.id }) : { kind: 'unknown' }
  const message = replaySentence(answer, id)
  const { kind: result, ...rest } = answer
  return tellDone(isReplayed(answer), { result, message, ...rest }, message, json, terminal)
}

const questionOn = ({ what, status, generation }: ReturnType<typeof toBeShown>, act: Act): string =>
  `${act === 'replay' ? 'Replay' : 'Redrive'} ${what}, ${status}, generation ${generation}? [y/N]`

/** With a destination, the copy for it: that is what is replayed, and it has generations of its own. */
export const toBeShown = (event: EventSeen, to: string | undefined) => {
  const copy = event.copies.find(({ destination }) => destination === to)
  const { status, generation } = copy ?? event
  const named = `${event.source} ${event.eventId} (${event.type ?? 'no type'})`
  return { what: copy ? `${named} for ${to}` : named, status, generation }
}
