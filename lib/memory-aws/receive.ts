import type { ReceivedMessage } from '../../functions/adapters/wire/queue-calls.ts'
import type { MessageStore, StoredMessage } from './message-store.ts'

/** Picks the messages to hand out, of those that can be received. */
export type Choose = (receivable: readonly StoredMessage[]) => readonly StoredMessage[]

const MOST = 10

const firstTen: Choose = receivable => receivable.slice(0, MOST)

/** Hands messages out, hides them, and moves those that were handed out too often to the dead letters. */
export const receiveFrom = (
  queue: MessageStore,
  deadLetters: MessageStore | undefined,
  { now }: { now(): number },
  choose = firstTen,
): readonly ReceivedMessage[] => {
  const at = now()
  const given = choose(receivable(queue, deadLetters, at))
  return given.map(message => {
    const receives = message.receives + 1
    const received = {
      ...message,
      receives,
      firstReceivedAt: message.firstReceivedAt ?? at,
      receipt: `${message.id}/${receives}`,
      visibleAt: at + queue.shape.visibilitySeconds * 1000,
    }
    queue.change(received)
    return toReceived(received)
  })
}

const receivable = (queue: MessageStore, deadLetters: MessageStore | undefined, at: number): StoredMessage[] => {
  const most = queue.shape.deadLetters?.maxReceiveCount ?? Number.POSITIVE_INFINITY
  const found: StoredMessage[] = []
  for (const message of unblocked(queue, at)) {
    if (message.receives < most || !deadLetters) found.push(message)
    else giveUp(queue, deadLetters, message, at)
  }
  return found
}

/** The visible ones. A group of a FIFO queue waits while one of its messages is in flight. */
const unblocked = (queue: MessageStore, at: number): readonly StoredMessage[] => {
  const messages = queue.messages()
  const visible = messages.filter(({ visibleAt }) => visibleAt <= at)
  if (!queue.fifo || visible.length === messages.length) return visible
  const blocked = new Set(messages.filter(({ visibleAt }) => visibleAt > at).map(({ group }) => group))
  return visible.filter(({ group }) => !blocked.has(group))
}

/** A dead letter of a standard queue is as old as its first enqueue, one of a FIFO queue starts anew. */
const giveUp = (queue: MessageStore, deadLetters: MessageStore, message: StoredMessage, at: number): void => {
  queue.remove(message.id)
  deadLetters.add({
    ...message,
    receives: message.receives + 1,
    sentAt: queue.fifo ? at : message.sentAt,
    visibleAt: at,
    receipt: undefined,
    deadFrom: queue.arn,
  })
}

const toReceived = (message: StoredMessage): ReceivedMessage => ({
  messageId: message.id,
  receipt: message.receipt ?? '',
  body: message.body,
  attributes: { ...message.attributes },
  system: withoutAbsent({
    SenderId: 'AIDAMEMORY',
    SentTimestamp: String(message.sentAt),
    ApproximateReceiveCount: String(message.receives),
    ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt),
    MessageGroupId: message.group,
    MessageDeduplicationId: message.deduplication,
    SequenceNumber: message.sequence,
    DeadLetterQueueSourceArn: message.deadFrom,
  }),
})

const withoutAbsent = (values: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
