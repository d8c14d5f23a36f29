import { setTimeout as sleep } from 'node:timers/promises'
import { millis } from '../../functions/domain/brands.ts'
import type { EventReads } from '../../functions/domain/ports.ts'
import { connectLocal } from '../../lib/connect/connect-local.ts'
import type { Instance } from '../../lib/connect/instance.ts'
import type { EventView } from '../../lib/operator/event-view.ts'
import { list } from '../../lib/operator/list.ts'

const PAGE = 1_000
const LOOK_EVERY_MS = 250
/** Nothing has moved for so long: it will not any more. Longer than a message is hidden after a failed attempt. */
const STUCK_AFTER_MS = 90_000

export const eventsOfLocal = (instance: Instance): EventReads => connectLocal(instance).stores.records

export const clockOfLocal = ({ now }: Instance) => millis(now === null ? Date.now() : Date.parse(now))

/** Every event of the last day that the local instance knows, once all of them are done, or once nothing moves any more. */
export const awaitDone = async (instance: Instance): Promise<readonly EventView[]> => {
  await untilSettled(() => waitingMessages(instance))
  let events: readonly EventView[] = []
  await untilSettled(async () => {
    events = await listAll(instance)
    return events.filter(({ status }) => status !== 'done').length
  })
  return events
}

/** Until nothing is left, or what is left has not changed for long. */
const untilSettled = async (countLeft: () => Promise<number>): Promise<void> => {
  let left = Number.POSITIVE_INFINITY
  let movedAt = performance.now()
  while (left > 0 && performance.now() - movedAt < STUCK_AFTER_MS) {
    const now = await countLeft()
    if (now !== left) movedAt = performance.now()
    left = now
    if (left > 0) await sleep(LOOK_EVERY_MS)
  }
}

const waitingMessages = async (instance: Instance): Promise<number> => {
  const { aws, resources } = connectLocal(instance)
  const { queueUrl, orderedQueueUrl = queueUrl } = resources
  const states = await Promise.all([queueUrl, orderedQueueUrl].map(url => aws.queue.queueState(url)))
  return states.reduce((sum, { messages }) => sum + messages, 0)
}

const listAll = async (instance: Instance): Promise<readonly EventView[]> => {
  const events = eventsOfLocal(instance)
  const now = clockOfLocal(instance)
  const all: EventView[] = []
  let after: string | null = null
  do {
    const page = await list(events, { limit: PAGE, now, from: millis(now - 86_400_000), after: after ?? undefined })
    all.push(...page.events)
    after = page.next
  } while (after !== null)
  return all
}
