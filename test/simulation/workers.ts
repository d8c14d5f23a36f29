import { bury } from '../../functions/bury/bury.ts'
import { type After, batch } from '../../functions/consume/batch.ts'
import { isOver } from '../../functions/consume/outcome.ts'
import { SEVERAL_NAME } from '../../functions/contract/queues.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import { farAws } from './far-aws.ts'
import type { Process } from './faults.ts'
import { handlerOf, type Modes } from './handlers.ts'
import { bodyOf } from './kept-body-of.ts'
import { receiveSome, type SimMessage } from './receive-some.ts'
import type { Rig } from './rig.ts'
import { destinationAt, SEVERAL_URL } from './sim-destinations.ts'
import { STILL } from './timeline.ts'

const WORKER_MS = 5_000

/** One invocation of the worker, if there are messages. */
export const consumeSome = (rig: Rig, modes: Modes, queueUrl: string): unknown => {
  const messages = receiveSome(rig, queueUrl, rig.luck.pick([1, 1, 3, 10]))
  if (messages.length === 0) return STILL
  if (messages.length > 1) rig.count('batches')
  for (const { group } of messages) if (group !== null) rig.count('fifoGroups')
  const process = rig.newProcess('consume')
  process.messages = messages.map(({ said }) => said)
  rig.ledger.crashedTries.received(process, messages, rig.ingredients.tries, rig.timeline.now)
  const endsAt = rig.timeline.now + WORKER_MS
  process.endsAt = endsAt
  const bounds = {
    remaining: () => endsAt - rig.timeline.now,
    tries: rig.ingredients.tries,
    destination: queueUrl === SEVERAL_URL ? SEVERAL_NAME : destinationAt(queueUrl),
    after: timerOf(rig, process),
  }
  // Lambda ends the environment, or freezes it: then it may go on whenever it is thawed.
  rig.timeline.at(endsAt, () => {
    if (rig.luck.happens(0.5)) process.alive = false
    return STILL
  })
  const world = rig.world(process, queueUrl.endsWith('.fifo') ? undefined : queueUrl)
  void batch(world, handlerOf(rig, process, modes, { queueUrl, world }), messages, bounds, (item, { work }) =>
    rig.ledger.note(process.name, `ended ${work}`, item.messageId),
  ).then(
    ({ failed }) => {
      const isKept = [...process.tries.values()].some(each => each === 'unanswered' || each === 'taken')
      rig.ledger.check('a try without a call of the handler is given back', !isKept, () => process.name)
      for (const message of messages) if (!failed.includes(message.messageId)) void conclude(rig, process, message)
    },
    error => rig.ledger.note(process.name, `threw ${error}`),
  )
  return undefined
}

const timerOf =
  ({ timeline }: Rig, process: Process): After =>
  (delay, act) => {
    let stopped = false
    timeline.after(delay, () => (stopped || !process.alive ? STILL : act()))
    return () => {
      stopped = true
    }
  }

/** Deletes, if what became of the message allows it. */
const conclude = async (rig: Rig, process: Process, message: SimMessage): Promise<void> => {
  const record = rig.records.get(message.said.id as Fingerprint)
  const body = record?.status === 'failed' ? await bodyOf(rig, record) : undefined
  rig.ledger.deleted(message.said, record, body !== undefined || isGone(rig, message))
  await farAws(rig, process)
    .queue.deleteMessages(message.queueUrl, [message.receipt])
    .catch(() => {})
}

/** A body that nobody can read any more cannot be kept. */
const isGone = ({ unreadable }: Rig, { said }: SimMessage): boolean => said.id === unreadable

export const burySome = (rig: Rig, queueUrl: string): unknown => {
  const [message] = receiveSome(rig, queueUrl, 1)
  if (!message) return STILL
  const process = rig.newProcess('bury')
  process.messages = [message.said]
  void bury(rig.world(process), message, rig.ingredients.tries).then(
    ended => {
      rig.ledger.note(process.name, `ended ${ended.work}`)
      return isOver(ended) ? conclude(rig, process, message) : undefined
    },
    error => rig.ledger.note(process.name, `threw ${error}`),
  )
  return undefined
}
