import { isOver } from '../../functions/contract/status.ts'
import type { Fingerprint } from '../../functions/domain/brands.ts'
import type { EventRecord } from '../../functions/domain/record.ts'
import { type SimEvent, send } from './actors.ts'
import type { Described } from './describe-call.ts'
import { DAY } from './ingredients.ts'
import { produce } from './producers.ts'
import type { Rig } from './rig.ts'
import { SEVERAL_URL, urlOf } from './sim-destinations.ts'
import { NAMES } from './watch-writes.ts'

/** Somebody deletes a record, or restores a table from before it was written. */
export const eraseOne = (rig: Rig): void => {
  const { luck, records } = rig
  const all = [...records.values()].filter(record => mayVanish(rig, record))
  if (all.length === 0) return
  const open = all.filter(({ status }) => !isOver(status))
  erase(rig, luck.pick(open.length > 0 && luck.happens(0.7) ? open : all))
}

const mayVanish = (rig: Rig, { fingerprint }: EventRecord): boolean =>
  !rig.ledger.publications.isAmbiguous(fingerprint) && !isRemembered(rig, fingerprint)

const erase = (rig: Rig, record: EventRecord): void => {
  rig.ledger.note('somebody', 'erases', record.fingerprint.slice(0, 8))
  expire(rig, record, 1, 'at once')
  rig.count('absent')
}

/** The write on which a focus looks: the record that it is about expires before it, or is deleted after it, once in a schedule. */
export const vanishAround = (rig: Rig, { name, moves }: Described): { readonly after: () => void } => {
  const { focus, ledger, timeline, records } = rig
  const id = String((moves?.Key ?? moves?.Item)?.fingerprint) as Fingerprint
  const found = (): EventRecord | undefined => {
    const record = ledger.erased.size === 0 ? records.get(id) : undefined
    return record && mayVanish(rig, record) ? record : undefined
  }
  const met = focus.expires === name ? found() : undefined
  if (met) {
    ledger.note('somebody', 'lets expire', id.slice(0, 8))
    // By every clock there is.
    expire(rig, met, Math.floor(timeline.now / 1000) - 180, 'by TTL')
  }
  const after = (): void => {
    if (focus.erases !== name) return
    timeline.after(1, () => {
      const record = found()
      if (record && record.generation > 0) erase(rig, record)
    })
  }
  return { after }
}

const expire = ({ ledger, aws }: Rig, record: EventRecord, at: number, how: 'at once' | 'by TTL'): void => {
  const { fingerprint } = record
  ledger.erased.set(fingerprint, record)
  ledger.isErasing = how
  aws.dynamo.updateItem({
    TableName: NAMES.eventsTable,
    Key: { fingerprint },
    UpdateExpression: 'SET #expiresAt = :then',
    ExpressionAttributeNames: { '#expiresAt': 'expiresAt' },
    ExpressionAttributeValues: { ':then': at },
  })
  // A look is enough for TTL to take away what is past its time.
  if (how === 'at once') aws.items(NAMES.eventsTable)
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
    const { to = ['worker'] } = lastMessage
    const QueueUrl = to.length > 1 ? SEVERAL_URL : urlOf(String(to[0]))
    aws.queue.sendMessage({ QueueUrl, MessageBody, MessageAttributes: {} })
    rig.wake()
  })
}
