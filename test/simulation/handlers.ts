import type { Handler } from '../../functions/consume/handle.ts'
import { takenAs } from '../../functions/consume/handler-event.ts'
import type { Message } from '../../functions/contract/message.ts'
import { isOver as isOverStatus } from '../../functions/contract/status.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import { ignore, Unprocessable, type WebhookEvent } from '../../functions/domain/event.ts'
import { fanOut } from '../../functions/fan-out/fan-out.ts'
import type { Mode } from './actors.ts'
import type { Process } from './faults.ts'
import type { Rig, SimWorld } from './rig.ts'
import { destinationAt, SEVERAL_URL } from './sim-destinations.ts'
import { EFFECTS, NAMES } from './watch-writes.ts'

// Made once: an error costs more than all that a handler does.
const NO_USE = new Unprocessable('no use')
const ALWAYS = new Error('always')
const SOMETIMES = new Error('sometimes')
const AWAY = new Error('what it calls is away')

/** The user's code, with its own effects at the far end of the wire. */
export const handlerOf =
  (rig: Rig, process: Process, modes: Modes, { queueUrl, world }: Place): Handler =>
  async (event, tools) => {
    // A copy has the id of its event for its handler, and a record of its own.
    const { message } = takenAs(event)
    const now = rig.timeline.now + process.skew
    rig.ledger.check('an expired message is not handled', message.expiresAt * 1000 > now, () => event.eventId)
    rig.ledger.crashedTries.begins(process, message)
    process.tries.set(message.id, 'called')
    process.handling.add(message.id)
    begins(rig, process, message, event.idempotencyKey)
    try {
      if (queueUrl === SEVERAL_URL) return await fanOut(world)(event, tools)
      const destination = destinationAt(queueUrl)
      if (isOut(rig, destination)) throw AWAY
      return await userCode(rig, process, modes(event.eventId, destination), event, tools)
    } finally {
      process.handling.delete(message.id)
    }
  }

export interface Place {
  readonly queueUrl: string
  /** As its worker sees it. */
  readonly world: SimWorld
}

/** What the code of each destination does with an event. */
export type Modes = (eventId: string, destination: string) => Mode

const isOut = ({ ingredients: { destinationOut }, timeline, counts }: Rig, destination: string): boolean => {
  const { from = 0, until = 0 } = destinationOut ?? {}
  if (destinationOut?.destination !== destination || timeline.now < from || timeline.now >= until) return false
  counts.destinationOutages ||= 1
  return true
}

const begins = (
  { ledger, records }: Rig,
  process: Process,
  { id, generation }: Message,
  idempotencyKey: string,
): void => {
  ledger.generations.handled({ id, generation, idempotencyKey })
  ledger.handling(id as Fingerprint, process, records.get(id as Fingerprint))
}

type Tools = Parameters<Handler>[1]

const userCode = async (rig: Rig, process: Process, mode: Mode, event: WebhookEvent, { commit }: Tools) => {
  const { ledger, luck } = rig
  const { id, generation } = takenAs(event).message
  checkOrder(rig, event)
  ledger.carried('S8 a handler gets the bytes that were signed', event, await event.bytes())
  if (mode === 'unprocessable') throw NO_USE
  if (mode === 'ignore') return ignore('not one of ours')
  if (mode === 'poison') throw ALWAYS
  if (mode === 'flaky' && rig.failing && luck.happens(0.5)) throw SOMETIMES
  const { idempotencyKey: key } = event
  if (mode === 'commit') {
    const once = async (key: string) => {
      const told = await commit([{ Put: { TableName: EFFECTS, Item: { key, of: id, generation, by: process.name } } }])
      const isTrue = told.kind !== 'committed' || writerOf(rig, key) === process.name
      ledger.check('who is told committed has written', isTrue, () => event.eventId)
      return told
    }
    // Some do not wait for it: the worker does.
    if (isHasty(process)) return void once(key)
    const first = await once(key)
    // Some try again with other writes: nobody knows whether the first were written.
    const result = first.kind === 'unavailable' && rig.apart.happens(0.5) ? await once(`${key} again`) : first
    // Half of the users forget to look.
    if (result.kind === 'unavailable' && luck.happens(0.5)) throw new Error('the commit got no answer')
    return
  }
  await rig.remote({
    process,
    name: 'effect',
    apply: () => void ledger.effects.set(key, (ledger.effects.get(key) ?? 0) + 1),
  })
}

/** Without chance: all others stay as they are. */
const isHasty = ({ name }: Process): boolean => name.endsWith('3')

const writerOf = ({ aws }: Rig, key: string): unknown => aws.items(EFFECTS).find(item => item.key === key)?.by

/** In a group, nobody is handled before those who came earlier are over. */
const checkOrder = ({ aws, ledger, records }: Rig, { id, generation, ordering }: WebhookEvent): void => {
  if (!ordering) return
  const messages = aws.messages(NAMES.orderedQueueUrl)
  const own = messages.find(({ deduplication }) => deduplication === `${id}-${generation}`)
  const earlier = messages.filter(
    ({ group, sequence = '' }) => group === own?.group && sequence < (own?.sequence ?? ''),
  )
  for (const { deduplication = '' } of earlier) {
    const [fingerprint, of] = deduplication.split('-') as [Fingerprint, string]
    const record = records.get(fingerprint)
    const isOver = !record || record.generation > Number(of) || isOverStatus(record.status)
    ledger.check(
      'S12 a group is handled in its order',
      isOver,
      () => `${id.slice(0, 8)} before ${fingerprint.slice(0, 8)}`,
    )
  }
}
