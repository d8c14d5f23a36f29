import { dynamodbReplays } from '../../functions/adapters/dynamodb-replays.ts'
import { idempotencyKey } from '../../functions/consume/handler-event.ts'
import { isOver } from '../../functions/contract/status.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import type { SimEvent } from './actors.ts'
import { bodyOf } from './kept-body-of.ts'
import type { Rig } from './rig.ts'
import { NAMES } from './watch-writes.ts'

/** Faults have stopped and time has passed: nothing acknowledged may be unfinished, and every account must balance. */
export const judgeTheEnd = async (rig: Rig, events: readonly SimEvent[]): Promise<void> => {
  for (const event of events) judgeEvent(rig, event)
  for (const record of rig.records.values()) {
    await judgeRecord(rig, record)
    await judgeGenerations(rig, record)
  }

  const { ledger, aws } = rig
  const left = [NAMES.queueUrl, NAMES.deadLettersUrl].map(url => aws.messages(url).length)
  ledger.check(
    'L3 the queues drain',
    left.every(count => count === 0),
    () => `${left.join(' and ')} left`,
  )
  const answers = Object.values(ledger.answers).reduce((sum, count) => sum + count, 0)
  const balance = () => `${ledger.received} received, ${JSON.stringify(ledger.answers)}`
  ledger.check('A1 every delivery has one answer, or is counted as unknown', answers === ledger.received, balance)
}

const judgeEvent = ({ ledger, records }: Rig, event: SimEvent): void => {
  const { id, mode } = event
  const retries = event.source !== 'github'
  ledger.check(
    'L4 a sender that retries is acknowledged in the end',
    !retries || event.acknowledged || event.refused,
    () => `${id} after ${event.tries} tries`,
  )
  if (!event.acknowledged) return
  const record = event.fingerprint && records.get(event.fingerprint)
  ledger.check('L1 an acknowledged event has a record', record !== undefined, () => id)
  if (!record) return
  const alwaysFails = mode === 'poison' || mode === 'unprocessable'
  ledger.check(
    'a healthy handler ends in done, or says why not',
    record.status === (mode === 'ignore' ? 'ignored' : 'done') || alwaysFails || record.lastError !== null,
    () => `${id} (${mode}) is ${record.status}`,
  )
  ledger.check('ignored is what a handler ignored', (record.status === 'ignored') <= (mode === 'ignore'), () => id)
  if (record.status !== 'done') return
  ledger.check('a handler that always fails is never done', !alwaysFails, () => id)
  const happened =
    mode === 'commit'
      ? ledger.commits.has(`${record.fingerprint}/${record.generation}`)
      : ledger.effects.has(idempotencyKey({ id: record.fingerprint, edition: record.edition }))
  ledger.check('done means that the effect happened', happened, () => `${id} (${mode}) is done without its effect`)
}

const judgeRecord = async (rig: Rig, record: EventRecord): Promise<void> => {
  const { ledger } = rig
  const { eventId, status, bodyAt, lastError } = record
  ledger.check(
    'L1 L2 every event ends done or failed',
    isOver(status),
    () => `${eventId} stays ${status}, body at ${bodyAt}`,
  )
  if (status !== 'failed') return
  const body = await bodyOf(rig, record)
  ledger.check('a failed event keeps its body', body !== undefined, () => `${eventId}: ${lastError}`)
  ledger.check('no message gets lost', !lastError?.startsWith('Lost'), () => `${eventId} was lost`)
}

/** Every generation after the first was begun by its sender, or by an operator whose name is known; no name stands for nothing. */
const judgeGenerations = async ({ ledger, aws }: Rig, record: EventRecord): Promise<void> => {
  const { fingerprint, generation: last } = record
  const generations = Array.from({ length: last + 2 }, (_, index) => index)
  const audits = await dynamodbReplays(aws.aws, NAMES).audits(fingerprint, generations)
  for (const generation of generations) {
    const begun = ledger.generations.begun(fingerprint, generation)
    const audit = audits.find(each => each.generation === generation)
    ledger.check(
      'what an operator began has their name, and nothing else has',
      audit?.actor === begun?.asked.actor && audit?.fence === begun?.fence,
      () => `generation ${generation} by ${begun?.asked.actor}, noted ${audit?.actor}`,
    )
    // An abandoned claim may be replayed before recovery has finished it: then the next generation has to reach the queue.
    ledger.check(
      'L1 what an operator began reached the queue, it or what an operator began after it',
      !begun ||
        ledger.forwarded.has(`${fingerprint}/${generation}`) ||
        ledger.generations.begun(fingerprint, generation + 1) !== undefined,
      () => `generation ${generation} by ${begun?.process}`,
    )
  }
}
