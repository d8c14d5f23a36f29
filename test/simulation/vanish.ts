import { isOver } from '../../functions/contract/status.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { type SimEvent, send } from './actors.ts'
import { DAY } from './ingredients.ts'
import { produce } from './producers.ts'
import type { Rig } from './rig.ts'
import { NAMES } from './watch-writes.ts'

/** Somebody deletes a record, or restores a table from before it was written. */
export const eraseOne = (rig: Rig): void => {
  const { luck, records, ledger } = rig
  const all = [...records.values()].filter(
    ({ fingerprint }) => !ledger.publications.isAmbiguous(fingerprint) && !isRemembered(rig, fingerprint),
  )
  if (all.length === 0) return
  const open = all.filter(({ status }) => !isOver(status))
  const record = luck.pick(open.length > 0 && luck.happens(0.7) ? open : all)
  const { fingerprint } = record
  ledger.note('somebody', 'erases', fingerprint.slice(0, 8))
  expire(rig, record, 1)
  rig.count('absent')
}

/** The record of one that is not over yet, if there is one, counts as absent in a few seconds: TTL may take days. */
export const expireOne = (rig: Rig): void => {
  const { records, luck, ledger, timeline } = rig
  const all = [...records.values()]
  const open = all.filter(({ status }) => !isOver(status))
  const record = luck.pick(open.length > 0 && luck.happens(0.7) ? open : all)
  if (!record) return
  ledger.note('somebody', 'lets expire', record.fingerprint.slice(0, 8))
  expire(rig, record, Math.floor(timeline.now / 1000) + luck.between(1, 10))
}

const expire = ({ ledger, aws }: Rig, record: EventRecord, at: number): void => {
  const { fingerprint } = record
  ledger.erased.set(fingerprint, record)
  ledger.isErasing = true
  aws.dynamo.updateItem({
    TableName: NAMES.eventsTable,
    Key: { fingerprint },
    UpdateExpression: 'SET #expiresAt = :then',
    ExpressionAttributeNames: { '#expiresAt': 'expiresAt' },
    ExpressionAttributeValues: { ':then': at },
  })
  // A look is enough for TTL to take away what is past its time.
  aws.items(NAMES.eventsTable)
  ledger.isErasing = false
}

/**
 * SQS takes an ordered message for a repeat within five minutes of the first: of an event that is erased by hand and sent again in
 * this time, the second life would have no message.
 */
const isRemembered = ({ ingredients, ledger, timeline }: Rig, id: Fingerprint): boolean =>
  ingredients.ordered && timeline.now < (ledger.sentAt.get(id) ?? Number.NEGATIVE_INFINITY) + 5 * 60_000

/** Long after their records have expired, the events are sent again, and somebody puts an old message back on the queue. */
export const meetAgain = (rig: Rig, deliveries: readonly (readonly SimEvent[])[]): void => {
  const { timeline, luck, ledger, aws } = rig
  for (const together of deliveries.slice(0, 1)) {
    rig.pending++
    timeline.after(luck.between(60, 80) * DAY, () => {
      rig.pending--
      const once = together[0]?.source === 'orders' ? produce : send
      once(rig, together)
    })
  }
  rig.pending++
  timeline.after(luck.between(60, 80) * DAY, () => {
    rig.pending--
    const { lastMessage } = ledger
    if (!lastMessage || lastMessage.expiresAt * 1000 > timeline.now) return
    rig.count('expired')
    // What it points to has ended with it, and nobody can keep it.
    if (lastMessage.body.encoding === 'pointer') ledger.hollow.add(lastMessage.id)
    const MessageBody = JSON.stringify(lastMessage)
    aws.queue.sendMessage({ QueueUrl: NAMES.queueUrl, MessageBody, MessageAttributes: {} })
    rig.wake()
  })
}
