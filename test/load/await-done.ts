import { setTimeout as sleep } from 'node:timers/promises'
import { dynamodbEvents } from '../../functions/adapters/dynamodb-events.ts'
import { millis } from '../../functions/domain/brands.ts'
import { deskClients } from '../../lib/local/desk-clients.ts'
import type { Instance } from '../../lib/local/instance.ts'
import type { EventView } from '../../lib/operator/event-view.ts'
import { list } from '../../lib/operator/list.ts'

const PAGE = 1_000
const LOOK_EVERY_MS = 500
/** No event has moved for so long: it will not any more. Longer than a message is hidden after a failed attempt. */
const STUCK_AFTER_MS = 90_000

/** Every event that the desk knows, as operators see them. */
export const listAll = async (instance: Instance): Promise<readonly EventView[]> => {
  const events = dynamodbEvents(deskClients(instance.endpoints).dynamodb, instance.resources.eventsTable)
  const now = millis(instance.now === null ? Date.now() : Date.parse(instance.now))
  const all: EventView[] = []
  let after: string | null = null
  do {
    const page = await list(events, { limit: PAGE, now, from: millis(now - 86_400_000), after: after ?? undefined })
    all.push(...page.events)
    after = page.next
  } while (after !== null)
  return all
}

/** The events once all of them are done, or once nothing moves any more. */
export const awaitDone = async (instance: Instance): Promise<readonly EventView[]> => {
  let open = Number.POSITIVE_INFINITY
  let movedAt = performance.now()
  for (;;) {
    const events = await listAll(instance)
    const left = events.filter(({ status }) => status !== 'done').length
    if (left === 0) return events
    if (left !== open) movedAt = performance.now()
    open = left
    if (performance.now() - movedAt > STUCK_AFTER_MS) return events
    await sleep(LOOK_EVERY_MS)
  }
}
